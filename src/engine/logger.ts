import type { ChainLogger } from '../platform/port.js'

const noop = (): void => undefined

/** The default logger: writes noop. */
export const silentLogger: ChainLogger = { debug: noop, info: noop, warn: noop, error: noop }
