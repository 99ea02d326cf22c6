import type { Contract } from '../../model/contracts/contract.js'
import type { GenesisRecord } from '../../model/covenant-id.js'
import { blake2b256 } from '../../model/hashing.js'
import { fromHex, toHex } from '../../model/hex.js'
import type { OutpointKey } from '../../model/utxo.js'

/** A covenant that is followed, with the program that its genesis pins. */
export interface FollowedCovenant {
  readonly contract: Contract
  readonly covenantId: string
  readonly genesis: GenesisRecord<unknown>
  /** The outputs from which it is followed, where they are not those of the genesis: with them nothing is unknown. */
  readonly begun?: readonly OutpointKey[] | undefined
}

/** The locking script of the hash of a redeem script. */
export const scriptOfHash = (redeemScript: string): string => `aa20${toHex(blake2b256(fromHex(redeemScript)))}87`

/** The first state among redeem scripts that hash to a locking script; null where none of the program does. */
export function provedState({ contract }: FollowedCovenant, script: string, redeemScripts: readonly string[]): unknown {
  const redeemScript = redeemScripts.find((candidate) => scriptOfHash(candidate) === script)
  return (redeemScript === undefined ? undefined : contract.decodeState(redeemScript)) ?? null
}
