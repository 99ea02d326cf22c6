/** The longest delay of a timer, in ms: 24 days. A longer one fires at once. */
export const LONGEST_TIMER: number = 2 ** 31 - 1
