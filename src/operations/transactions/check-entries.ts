import { invalidArgument } from '../../errors/chain-error.js'
import { isHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toOutpointKey, type UtxoEntry } from '../../model/utxo.js'

/** The entries to choose from, plain, and each once. Throws `ChainError` (`invalid-argument`). */
export function checkEntries(entries: readonly UtxoEntry[], network: ChainNetwork): readonly UtxoEntry[] {
  if (!Array.isArray(entries)) throw invalidArgument('entries', '"entries" must be an array of UTXO entries')
  const each = new Map(
    entries.map((entry: UtxoEntry, index) => [
      toOutpointKey(entry.outpoint),
      checkEntry(entry, `entries[${index}]`, network),
    ]),
  )
  return [...each.values()]
}

function checkEntry(entry: UtxoEntry, argument: string, network: ChainNetwork): UtxoEntry {
  const { address, amount, outpoint, scriptPublicKey } = entry
  if (!isHex(outpoint.transactionId, 32))
    throw invalidArgument(`${argument}.outpoint`, `"${argument}.outpoint" names no transaction`)
  if (typeof amount !== 'bigint' || amount <= 0n)
    throw invalidArgument(`${argument}.amount`, `"${argument}.amount" must be a bigint above zero`)
  const { addressPrefix } = NETWORKS[network]
  if (address !== undefined && !address.startsWith(`${addressPrefix}:`)) {
    throw invalidArgument(
      `${argument}.address`,
      `The entry belongs to another network than ${network}`,
      'Track addresses of the network that is paid on.',
    )
  }
  return {
    address,
    outpoint: { transactionId: outpoint.transactionId, index: outpoint.index },
    amount,
    scriptPublicKey: { version: scriptPublicKey.version, script: scriptPublicKey.script },
    blockDaaScore: entry.blockDaaScore,
    isCoinbase: entry.isCoinbase,
    covenantId: entry.covenantId,
  }
}
