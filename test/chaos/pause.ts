/** Resolves after `ms`, of virtual time under fake timers. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
