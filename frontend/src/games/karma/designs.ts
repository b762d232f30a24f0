// Powers for designed cards, from the vocabulary of powers, and what they do in words.

import type { CardDesign, DesignedPower, PowerName } from '../../generated/karma.ts';
import { POWERS } from '../../generated/karmaSetup.ts';
import { t } from '../../lib/i18n.svelte.ts';
import type { Text } from '../../lib/texts.ts';

/** A power with the first value of each parameter; a range starts as wide as it can be. */
export function newPower(power: PowerName): DesignedPower {
  const parameters = POWERS.find((each) => each.power === power)?.parameters ?? [];
  const values = parameters.map((each): [string, string | number | undefined] => [
    each.name,
    each.words?.[0] ?? (each.name === 'high' ? each.most : each.least),
  ]);
  return { power, ...Object.fromEntries(values) };
}

/** The name of a power as a title. */
export function powerTitle(power: PowerName): string {
  const name = t(`power.${power}`);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Does this power keep its card on the pile? */
export function staysOnPile(power: PowerName): boolean {
  return POWERS.find((each) => each.power === power)?.only_on_cards_that_stay ?? false;
}

/** The rules of a designed card in sentences. */
export function designInWords({ powers, leaves }: CardDesign): Text[] {
  const stays = powers.some((each) => staysOnPile(each.power));
  return [
    ...powers.map((each) => ({ key: `karma.power.${each.power}`, parameters: each })),
    ...(leaves ? [{ key: 'karma.card.leaves' }] : stays ? [] : [{ key: 'karma.card.stays' }]),
  ];
}
