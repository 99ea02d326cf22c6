import { Buffer } from 'node:buffer'

/** A transaction id that contains a name. */
export const idOf = (name: string): string => Buffer.from(name).toString('hex').padEnd(64, '0')

/** The name in an id. */
export const nameOf = (id: string): string => Buffer.from(id, 'hex').toString().replaceAll('\0', '')
