import type { ChainLogger } from '../platform/port.js'

const nothing = (): void => undefined

/** The logger of an engine that was given none. */
export const silentLogger: ChainLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
