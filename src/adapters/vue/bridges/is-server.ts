/** Whether this is server-side rendering: no connection, no subscription, and refs hold their initial values. */
export const isServer = (): boolean => typeof window === 'undefined'
