/** How long, in ms, the last state is shown. A file of its own: checking the option loads nothing else. */
export const DEFAULT_MAX_AGE = 86_400_000

/** 30 days. */
export const LONGEST_MAX_AGE = 2_592_000_000
