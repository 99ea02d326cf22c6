import type { ArgumentSchema } from './tool.js'

/** An address of any network: prefix, colon and the characters of its Bech32 form. */
export const ADDRESS: ArgumentSchema = {
  type: 'string',
  pattern: '^kaspa(test|sim|dev)?:[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{60,70}$',
}

export const ADDRESSES: ArgumentSchema = { type: 'array', items: ADDRESS, minItems: 1, maxItems: 100 }

/** The hash of a block, or the id of a transaction. */
export const HASH: ArgumentSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' }

export const HASHES: ArgumentSchema = { type: 'array', items: HASH, maxItems: 100 }

/** Which chain a query reads. */
export const ON: ArgumentSchema = {
  enum: ['node', 'devnode'],
  description: 'the node of the flags (default), or the devnode of this process',
}

export const count = (maximum: number, description?: string): ArgumentSchema => ({
  type: 'integer',
  minimum: 0,
  maximum,
  ...(description !== undefined && { description }),
})
