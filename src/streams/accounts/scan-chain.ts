import { ChainError } from '../../errors/chain-error.js'
import type { AccountAddress } from './records.js'
import { INDEX_END } from './address-chain.js'

/** Which of the addresses are used. */
export type FindUsed = (addresses: readonly string[]) => Promise<ReadonlySet<string>>

export interface ChainScan {
  readonly gapLimit: number
  readonly maxAddresses: number
  readonly address: (index: number) => string
  readonly findUsed: FindUsed
}

/**
 * The used addresses of a chain, up to the first `gapLimit` unused ones in a row. Rejects with `limit-exceeded` after
 * `maxAddresses`: a node that reports everything as used would never end a scan.
 */
export async function scanChain({ gapLimit, maxAddresses, address, findUsed }: ChainScan): Promise<AccountAddress[]> {
  const found: AccountAddress[] = []
  let end = gapLimit
  for (let from = 0; from < end;) {
    if (end > maxAddresses) throw limitExceeded(maxAddresses)
    const batch = Array.from({ length: end - from }, (_, at) => ({ address: address(from + at), index: from + at }))
    const used = await findUsed(batch.map((one) => one.address))
    found.push(...batch.filter((one) => used.has(one.address)))
    from = end
    end = Math.min((found.at(-1)?.index ?? -1) + 1 + gapLimit, INDEX_END)
  }
  return found
}

const limitExceeded = (maxAddresses: number): ChainError =>
  new ChainError(`The scan needs more than ${maxAddresses} addresses of a chain`, {
    code: 'limit-exceeded',
    argument: 'maxAddresses',
    hint: 'Raise maxAddresses if the account is that large; otherwise the node or the indexer is not right.',
  })
