import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { isValidAddress, toScriptPublicKey } from '../../model/address.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { isHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toOutpointKey, type Outpoint, type ScriptPublicKey, type UtxoEntry } from '../../model/utxo.js'

type UncheckedEntry = Partial<UtxoEntry> | null | undefined

/** The caller's entries, as copies. */
export interface CheckedEntries {
  /** Without duplicates. */
  readonly entries: readonly UtxoEntry[]
  /** Entries whose script is not the one that their address encodes. Never spent: a hostile node made them up. */
  readonly invalid: readonly UtxoEntry[]
}

/** Validates the entries. Throws `ChainError` (`invalid-argument`). */
export function checkEntries(given: readonly UtxoEntry[], network: ChainNetwork): CheckedEntries {
  if (!Array.isArray(given)) throw invalidArgument('entries', '"entries" must be an array of UTXO entries')
  const checked = given.map((entry: UncheckedEntry, index) => checkNetwork(checkEntry(entry, index), index, network))
  const hasOwnScript = createScriptCheck()
  const [entries, invalid]: [UtxoEntry[], UtxoEntry[]] = [[], []]
  for (const entry of checked) (hasOwnScript(entry) ? entries : invalid).push(entry)
  return { entries: withoutDuplicates(entries), invalid }
}

/** Whether the script of an entry is that of its address, if it has one. Decodes each address once. */
function createScriptCheck(): (entry: UtxoEntry) => boolean {
  const scripts = new Map<string, string | undefined>()
  const scriptOf = (address: string): string | undefined => {
    if (!scripts.has(address))
      scripts.set(address, isValidAddress(address) ? toScriptPublicKey(address).script : undefined)
    return scripts.get(address)
  }
  return ({ address, scriptPublicKey: { version, script } }) =>
    address === undefined || (version === 0 && script === scriptOf(address))
}

/** Needs no text for each outpoint where the transactions are distinct, as in most wallets. */
function withoutDuplicates(entries: readonly UtxoEntry[]): readonly UtxoEntry[] {
  const ids = new Set<string>()
  for (const { outpoint } of entries) ids.add(outpoint.transactionId)
  if (ids.size === entries.length) return entries
  return [...new Map(entries.map((entry) => [toOutpointKey(entry.outpoint), entry])).values()]
}

/** Returns a copy: the argument may be a Vue proxy, or change during the calls to the node. */
function checkEntry(entry: UncheckedEntry, at: number): UtxoEntry {
  const { address, outpoint, amount, scriptPublicKey, blockDaaScore, isCoinbase, covenantId } = entry ?? {}
  if (!isOutpoint(outpoint)) throw invalidField(at, 'outpoint', 'is not the outpoint of a transaction output')
  if (!isAmount(amount)) throw invalidField(at, 'amount', 'must be a bigint above zero, and at most the maximum supply')
  if (!isScript(scriptPublicKey)) throw invalidField(at, 'scriptPublicKey', 'must be a version and a script, in hex')
  if (typeof blockDaaScore !== 'bigint') throw invalidField(at, 'blockDaaScore', 'must be a bigint')
  if (typeof isCoinbase !== 'boolean') throw invalidField(at, 'isCoinbase', 'must be true or false')
  if (!isTextOrAbsent(address)) throw invalidField(at, 'address', 'must be text, or left out')
  if (!isTextOrAbsent(covenantId)) throw invalidField(at, 'covenantId', 'must be hex, or left out')
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
    'Track addresses of the network of the payment.',
  )
}

const invalidField = (at: number, field: keyof UtxoEntry, what: string): ChainError =>
  invalidArgument(`entries[${at}].${field}`, `"entries[${at}].${field}" ${what}`)

const isOutpoint = (outpoint: Partial<Outpoint> | undefined): outpoint is Outpoint =>
  isHex(outpoint?.transactionId, 32) && isUint(outpoint.index, 32)

const isScript = (script: Partial<ScriptPublicKey> | undefined): script is ScriptPublicKey =>
  isHex(script?.script) && isUint(script.version, 16)

const isAmount = (amount: unknown): amount is bigint => typeof amount === 'bigint' && amount > 0n && amount <= MAX_SOMPI

const isTextOrAbsent = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

/** Hashing would truncate a longer number. */
const isUint = (value: unknown, bits: number): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** bits
