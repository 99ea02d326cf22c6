import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync } from '@scure/bip39'
import { encodeAddress } from '../../../src/model/address.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { acceptingNode } from '../../operations/transactions/accepting-node.js'
import { noSdk } from '../../operations/transactions/planned.js'

const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

/** Its keys, those of the recorded commands. */
export const root = HDKey.fromMasterSeed(mnemonicToSeedSync(MNEMONIC))

/** An address of an account of the device, and its path. */
export const addressAt = (change: 0 | 1, index: number, account = 0): string =>
  encodeAddress(
    'kaspasim',
    'PubKey',
    root.derive(`m/44'/111111'/${account}'/${change}/${index}`).publicKey!.subarray(1),
  )

const paths = new Map(
  [0, 1].flatMap((account) =>
    ([0, 1] as const).flatMap((change) =>
      Array.from({ length: 6 }, (_, index) => {
        const path = `m/44'/111111'/${account}'/${change}/${index}`
        return [addressAt(change, index, account), path] as const
      }),
    ),
  ),
)

const keyPathOf = (address: string): string | undefined => paths.get(address)

/** A UTXO of the account. */
export const utxoAt = (
  address: string,
  amount: bigint,
  index: number,
  transactionId = index.toString(16).padStart(64, '0'),
): UtxoEntry => fixtures.utxo({ address, outpoint: { transactionId, index }, amount })

/** A store of signed amounts that keeps what it is given. */
export const memoryAmounts = () => {
  const kept = new Map<string, string>()
  return { get: (id: string) => kept.get(id), set: (id: string, digest: string) => void kept.set(id, digest) }
}

/** A node that accepts everything, for an engine that follows two accounts of the device. */
export function ledgerNode() {
  const { deps, accepted } = acceptingNode(noSdk as never)
  return { deps: { ...deps, sdk: noSdk, keyPathOf, signedAmounts: memoryAmounts() }, accepted }
}
