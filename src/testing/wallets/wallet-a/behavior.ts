/** Variants of KasWare's results, each seen in a real version. Can be changed at any time. */
export interface KaswareBehavior {
  /** The result of `sendKaspa`: the id, the transaction as JSON, or as an object. @default 'id' */
  send: 'id' | 'json' | 'object'
  /** The encoding of signatures. @default 'hex' */
  signature: 'hex' | 'base64'
  /** The type of a balance's figures; compatible wallets report no sum, or it alone. @default 'number' */
  balance: 'number' | 'text' | 'without total' | 'total only'
  /** Ms from `networkChanged` to `accountsChanged`. @default 0 */
  accountsLag: number
}

export const defaultBehavior = (): KaswareBehavior => ({
  send: 'id',
  signature: 'hex',
  balance: 'number',
  accountsLag: 0,
})
