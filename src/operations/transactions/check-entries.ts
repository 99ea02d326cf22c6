import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { isHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toOutpointKey, type Outpoint, type ScriptPublicKey, type UtxoEntry } from '../../model/utxo.js'

/** An entry as a caller may hand it in, who has it from elsewhere. */
type Given = Partial<UtxoEntry> | null | undefined

/** The entries to choose from, plain, and each once. Throws `ChainError` (`invalid-argument`). */
export function checkEntries(entries: readonly UtxoEntry[], network: ChainNetwork): readonly UtxoEntry[] {
  if (!Array.isArray(entries)) throw invalidArgument('entries', '"entries" must be an array of UTXO entries')
  const checked = entries.map((entry: Given, index) => checkNetwork(checkEntry(entry, index), index, network))
  return [...new Map(checked.map((entry) => [toOutpointKey(entry.outpoint), entry])).values()]
}

/** A copy: what was handed in may be a proxy of Vue's, or change while the node is asked. */
function checkEntry(entry: Given, at: number): UtxoEntry {
  const { address, outpoint, amount, scriptPublicKey, blockDaaScore, isCoinbase, covenantId } = entry ?? {}
  if (!isOutpoint(outpoint)) throw bad(at, 'outpoint', 'names no transaction output')
  if (!isAmount(amount)) throw bad(at, 'amount', 'must be a bigint above zero, and no more than there will ever be')
  if (!isScript(scriptPublicKey)) throw bad(at, 'scriptPublicKey', 'must be a version and a script, in hex')
  if (typeof blockDaaScore !== 'bigint') throw bad(at, 'blockDaaScore', 'must be a bigint')
  if (typeof isCoinbase !== 'boolean') throw bad(at, 'isCoinbase', 'must be true or false')
  if (!isTextOrAbsent(address)) throw bad(at, 'address', 'must be text, or left out')
  if (!isTextOrAbsent(covenantId)) throw bad(at, 'covenantId', 'must be hex, or left out')
  return {
    address,
    outpoint: { transactionId: outpoint.transactionId, index: outpoint.index },
    amount,
    scriptPublicKey: { version: scriptPublicKey.version, script: scriptPublicKey.script },
    blockDaaScore,
    isCoinbase,
    covenantId,
  }
}

function checkNetwork(entry: UtxoEntry, at: number, network: ChainNetwork): UtxoEntry {
  const { addressPrefix } = NETWORKS[network]
  if (entry.address === undefined || entry.address.startsWith(`${addressPrefix}:`)) return entry
  throw invalidArgument(
    `entries[${at}].address`,
    `The entry belongs to another network than ${network}`,
    'Track addresses of the network that is paid on.',
  )
}

const bad = (at: number, field: keyof UtxoEntry, what: string): ChainError =>
  invalidArgument(`entries[${at}].${field}`, `"entries[${at}].${field}" ${what}`)

const isOutpoint = (outpoint: Partial<Outpoint> | undefined): outpoint is Outpoint =>
  isHex(outpoint?.transactionId, 32) && isWhole(outpoint.index, 32)

const isScript = (script: Partial<ScriptPublicKey> | undefined): script is ScriptPublicKey =>
  isHex(script?.script) && isWhole(script.version, 16)

const isAmount = (amount: unknown): amount is bigint => typeof amount === 'bigint' && amount > 0n && amount <= MAX_SOMPI

const isTextOrAbsent = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

/** A whole number of so many bits: what is longer would be cut off when it is hashed. */
const isWhole = (value: unknown, bits: number): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** bits
