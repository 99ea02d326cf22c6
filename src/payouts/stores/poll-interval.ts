/** How often changes of other instances are looked for, in ms: a notification is a hint. */
export const POLL_INTERVAL = 1_000
