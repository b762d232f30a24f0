/** Does this build contain the page of the design system? Set by vite.config.ts. */
declare const __DESIGN__: boolean;
