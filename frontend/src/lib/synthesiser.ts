// Synthesises the sound of every moment from filtered noise (paper), falling sines (thumps) and ringing partials (wood,
// chimes). Rendering is plain arithmetic, so that tests can measure it; each sound is rendered when it is first played.

import type { Moment, Sounds } from './moments.ts';

export const RATE = 32_000;

/** Paper: band-passed noise whose centre glides from one frequency to another. */
interface Noise {
  is: 'noise';
  at: number;
  length: number;
  from: number;
  to: number;
  /** Width of the band: 0.5 is airy, 4 is whistling. */
  q: number;
  attack: number;
  gain: number;
}
/** Wood, chimes and thumps: partials that decay, the higher the faster. */
interface Tone {
  is: 'tone';
  at: number;
  length: number;
  pitch: number;
  /** Pitch at the end; the same if left out. */
  to?: number;
  partials: readonly (readonly [ratio: number, gain: number])[];
  attack: number;
  /** Time in which the sound falls to a third. */
  decay: number;
  gain: number;
}
type Layer = Noise | Tone;
interface Recipe {
  layers: readonly Layer[];
  /** Loudness over its whole length, in dBFS. */
  level: number;
}

const CHIME = [
  [1, 1],
  [2, 0.32],
  [3.01, 0.16],
  [4.17, 0.07],
] as const;
const WOOD = [
  [1, 1],
  [2.76, 0.34],
  [5.4, 0.1],
] as const;
const BAR = [
  [1, 1],
  [3.93, 0.18],
  [2, 0.12],
] as const;
const THUMP = [
  [1, 1],
  [1.52, 0.3],
] as const;

function slide(at: number, length: number, from: number, to: number, gain = 1, q = 0.8): Noise {
  return { is: 'noise', at, length, from, to, q, attack: length * 0.35, gain };
}
/** The edge of a card on the table: very short, bright noise. */
function snap(at: number, gain = 1, centre = 2600): Noise {
  return { is: 'noise', at, length: 0.045, from: centre, to: centre * 0.6, q: 0.9, attack: 0.002, gain };
}
function thump(at: number, pitch = 150, gain = 1, length = 0.16): Tone {
  return {
    is: 'tone',
    at,
    length,
    pitch,
    to: pitch * 0.55,
    partials: THUMP,
    attack: 0.003,
    decay: length / 4,
    gain,
  };
}
function knock(at: number, pitch: number, gain = 1): Tone {
  return { is: 'tone', at, length: 0.12, pitch, partials: WOOD, attack: 0.0015, decay: 0.022, gain };
}
function bar(at: number, pitch: number, gain = 1, length = 0.5, to = pitch): Tone {
  return { is: 'tone', at, length, pitch, to, partials: BAR, attack: 0.006, decay: length / 5, gain };
}
function chime(at: number, pitch: number, gain = 1, length = 0.8): Tone {
  return { is: 'tone', at, length, pitch, partials: CHIME, attack: 0.004, decay: length / 5, gain };
}
/** Many card edges in a row, each a little different. */
function riffle(at: number, count: number, gap: number, gain: number): Layer[] {
  return Array.from({ length: count }, (_, i) => snap(at + i * gap * (1 - 0.35 * (i / count)), gain, 1900 + 90 * i));
}

export const RECIPES: { readonly [name in Moment]: Recipe } = {
  deal: { level: -27, layers: [...riffle(0, 12, 0.045, 0.8), slide(0.36, 0.2, 900, 2600, 0.5), thump(0.5, 170, 0.5)] },
  reveal: { level: -27, layers: [snap(0), snap(0.08, 0.9, 2900), snap(0.16, 1, 3300), thump(0.17, 210, 0.35, 0.1)] },
  play: { level: -27, layers: [slide(0, 0.11, 2600, 1300, 0.8), snap(0.085, 0.9, 1700), thump(0.088, 190, 0.7, 0.1)] },
  flip: { level: -27, layers: [slide(0, 0.16, 1200, 3400, 0.45), snap(0.2, 1.1, 3600), thump(0.205, 240, 0.4, 0.08)] },
  pickUp: {
    level: -26,
    layers: [...riffle(0, 6, 0.032, 0.5), slide(0.02, 0.26, 1500, 700, 0.7), thump(0.26, 120, 1.6, 0.22)],
  },
  clear: {
    level: -25,
    layers: [slide(0, 0.46, 700, 4200, 1, 0.6), slide(0.14, 0.4, 3600, 900, 0.55, 0.7), chime(0.3, 784, 0.22, 0.5)],
  },
  giveAway: { level: -26, layers: [slide(0, 0.34, 500, 2900, 1, 1.4), snap(0.4, 0.8, 1500), thump(0.41, 165, 0.9)] },
  safe: {
    level: -25,
    layers: [thump(0, 95, 2, 0.3), snap(0, 0.9, 1300), chime(0.16, 440, 0.7), chime(0.28, 587, 0.7, 0.9)],
  },
  turn: { level: -25, layers: [bar(0, 523), bar(0.13, 659, 0.9, 0.6)] },
  call: { level: -25, layers: [knock(0, 520), snap(0, 0.25, 2400)] },
  mySet: { level: -24, layers: [chime(0, 659, 0.8, 0.5), chime(0.08, 831, 0.8, 0.6), chime(0.16, 988, 0.9, 0.9)] },
  theirSet: { level: -28, layers: [slide(0, 0.14, 1800, 900, 0.25), bar(0.06, 392, 0.8, 0.4), bar(0.16, 330, 0.7)] },
  pointLost: { level: -25, layers: [bar(0, 330, 1, 0.45, 233), thump(0.02, 130, 0.7, 0.2)] },
  refusal: { level: -27, layers: [knock(0, 233, 1), knock(0.09, 208, 0.9), thump(0, 140, 0.4, 0.1)] },
  tick: { level: -29, layers: [knock(0, 880, 0.9), snap(0, 0.2, 3200)] },
  win: {
    level: -24,
    layers: [
      chime(0, 523, 0.7, 0.5),
      chime(0.11, 659, 0.7, 0.5),
      chime(0.22, 784, 0.8, 0.6),
      chime(0.36, 1047, 1, 1.1),
      chime(0.36, 523, 0.5, 1.1),
      chime(0.36, 784, 0.4, 1.1),
    ],
  },
  loss: { level: -25, layers: [bar(0, 349, 0.9, 0.5), bar(0.2, 262, 1, 0.9), thump(0.2, 98, 0.8, 0.3)] },
  best: {
    level: -23,
    layers: [784, 988, 1175, 1568].map((pitch, i) => chime(i * 0.07, pitch, 0.7 + 0.1 * i, 0.4 + 0.15 * i)),
  },
};

/** Samples of a moment at `RATE`, between -1 and 1; the same in every browser. */
export function render(name: Moment): Float32Array<ArrayBuffer> {
  const { layers, level } = RECIPES[name];
  const seconds = Math.max(...layers.map((each) => each.at + each.length));
  const samples = new Float32Array(Math.ceil(seconds * RATE));
  layers.forEach((layer, i) => {
    if (layer.is === 'noise') addNoise(samples, layer, i + 1);
    else addTone(samples, layer);
  });
  const loudness = Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length);
  const factor = 10 ** (level / 20) / (loudness || 1);
  for (let i = 0; i < samples.length; i++) samples[i] = softened((samples[i] ?? 0) * factor);
  return samples;
}

/** Rounds off the few peaks above 0.4, so that nothing clips and nothing startles. */
function softened(sample: number): number {
  const over = Math.abs(sample) - 0.4;
  return over <= 0 ? sample : Math.sign(sample) * (0.4 + 0.2 * Math.tanh(over / 0.2));
}

function addNoise(samples: Float32Array, { at, length, from, to, q, attack, gain }: Noise, seed: number): void {
  const [first, count] = [Math.floor(at * RATE), Math.floor(length * RATE)];
  let [low, band, state] = [0, 0, seed * 2_654_435_761];
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const share = i / count;
    // A state-variable filter: stable while the centre glides.
    const f = 2 * Math.sin((Math.PI * from * (to / from) ** share) / RATE);
    low += f * band;
    band += f * (state / 2 ** 31 - 1 - low - band / q);
    const time = i / RATE;
    const envelope = time < attack ? time / attack : ((length - time) / (length - attack)) ** 2;
    samples[first + i] = (samples[first + i] ?? 0) + band * envelope * gain * 0.5;
  }
}

function addTone(samples: Float32Array, { at, length, pitch, to, partials, attack, decay, gain }: Tone): void {
  const [first, count] = [Math.floor(at * RATE), Math.floor(length * RATE)];
  const glide = (to ?? pitch) / pitch;
  for (const [ratio, share] of partials) {
    let phase = 0;
    for (let i = 0; i < count; i++) {
      const time = i / RATE;
      phase += (2 * Math.PI * pitch * ratio * glide ** (i / count)) / RATE;
      const envelope = Math.min(1, time / attack) * Math.exp((-time / decay) * Math.sqrt(ratio)) * (1 - i / count);
      samples[first + i] = (samples[first + i] ?? 0) + Math.sin(phase) * envelope * share * gain;
    }
  }
}

/** Plays rendered sounds. */
export class Speaker implements Sounds {
  private audio: AudioContext | null = null;
  private readonly buffers = new Map<Moment, AudioBuffer>();

  play(name: Moment, gain: number): void {
    // Made with the first sound, after the first tap, because browsers silence an older context.
    this.audio ??= new AudioContext();
    if (this.audio.state === 'suspended') void this.audio.resume();
    const [source, loudness] = [this.audio.createBufferSource(), this.audio.createGain()];
    source.buffer = this.bufferOf(name, this.audio);
    // No two cards sound exactly alike.
    if (name === 'play' || name === 'flip') source.playbackRate.value = 0.95 + 0.1 * Math.random();
    loudness.gain.value = gain;
    source.connect(loudness).connect(this.audio.destination);
    source.start();
  }

  private bufferOf(name: Moment, audio: AudioContext): AudioBuffer {
    const known = this.buffers.get(name);
    if (known) return known;
    const samples = render(name);
    const buffer = audio.createBuffer(1, samples.length, RATE);
    buffer.copyToChannel(samples, 0);
    this.buffers.set(name, buffer);
    return buffer;
  }
}
