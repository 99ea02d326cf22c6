/** Processor cores of this machine. */
export const CORES: number
/** The load of the last minute, the cores and the free memory, as text. */
export function describeMachine(): string
/** Watches load and waits for a core from now on; `end` resolves to both as text. */
export function watchMachine(): { end(): string }
