/** In which of their forms KasWare's answers come; each has been seen. Settings of a fake, to be changed at any time. */
export interface KaswareAnswers {
  /** What `sendKaspa` resolves to: the id, the whole transaction as JSON text, or as an object. @default 'id' */
  send: 'id' | 'json' | 'object'
  /** How signatures are written. @default 'hex' */
  signature: 'hex' | 'base64'
  /** How a balance's figures are written. @default 'number' */
  balance: 'number' | 'text'
  /** Ms by which `accountsChanged` lags behind a change of network. @default 0 */
  accountsLag: number
}

export const usualAnswers = (): KaswareAnswers => ({
  send: 'id',
  signature: 'hex',
  balance: 'number',
  accountsLag: 0,
})
