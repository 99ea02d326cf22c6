/** Whether this is a server's rendering: nothing is connected or listened to there, and refs hold their initial values. */
export const isServer = (): boolean => typeof window === 'undefined'
