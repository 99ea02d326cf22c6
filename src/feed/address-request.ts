/** A requested change of the watched addresses. */
export interface AddressRequest {
  readonly type: 'added' | 'deleted'
  readonly addresses: readonly string[]
  /** For added addresses: the cursor, or the hash of the chain block, from which they count. */
  readonly since?: string | undefined
}
