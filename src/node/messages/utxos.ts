import type { Shape } from './shape.js'

/** UTXOs and balances. */

export const outpoint = {
  tag: 'u8',
  fields: { transactionId: 'hash', index: 'u32' },
} as const satisfies Shape

export const utxo = {
  tag: 'u8',
  fields: {
    amount: 'u64',
    scriptPublicKey: 'scriptPublicKey',
    blockDaaScore: 'u64',
    isCoinbase: 'bool',
    covenantId: { added: { opt: 'hash' } },
  },
} as const satisfies Shape

/** A UTXO with its address; the record is the flat `UtxoEntry` of the model. */
export const utxoEntry = {
  tag: 'u8',
  fields: { address: { opt: 'address' }, outpoint: { box: outpoint }, utxoEntry: { spread: { box: utxo } } },
} as const satisfies Shape

export const balanceEntry = {
  tag: 'u8',
  fields: { address: 'address', balance: { opt: 'sompi' } },
} as const satisfies Shape
