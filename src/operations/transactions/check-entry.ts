import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { isHex } from '../../model/hex.js'
import type { ChainNetwork } from '../../model/network.js'
import type { Outpoint, ScriptPublicKey, UtxoEntry } from '../../model/utxo.js'
import { isOfNetwork, otherNetwork } from './script-classes.js'

type UncheckedEntry = Partial<UtxoEntry> | null | undefined

/** Validates entries of a caller, each with its position. Throws `ChainError` (`invalid-argument`). */
export function createEntryCheck(network: ChainNetwork): (entry: UncheckedEntry, at: number) => UtxoEntry {
  /** Copies, by the object: decoders return one object for equal scripts. */
  const scripts = new Map<unknown, ScriptPublicKey>()
  const copyOf = (script: Partial<ScriptPublicKey> | undefined, at: number): ScriptPublicKey => {
    const known = scripts.get(script)
    if (known !== undefined) return known
    if (!isScript(script)) throw invalidField(at, 'scriptPublicKey', 'must be a version and a script, in hex')
    const copy = { version: script.version, script: script.script }
    scripts.set(script, copy)
    return copy
  }
  return (entry, at) => {
    const { address, outpoint, amount, scriptPublicKey, blockDaaScore, isCoinbase, covenantId } = entry ?? {}
    if (!isOutpoint(outpoint)) throw invalidField(at, 'outpoint', 'is not the outpoint of a transaction output')
    if (!isAmount(amount))
      throw invalidField(at, 'amount', 'must be a bigint above zero, and at most the maximum supply')
    const script = copyOf(scriptPublicKey, at)
    if (typeof blockDaaScore !== 'bigint') throw invalidField(at, 'blockDaaScore', 'must be a bigint')
    if (typeof isCoinbase !== 'boolean') throw invalidField(at, 'isCoinbase', 'must be true or false')
    if (!isTextOrAbsent(address)) throw invalidField(at, 'address', 'must be text, or left out')
    if (!isTextOrAbsent(covenantId)) throw invalidField(at, 'covenantId', 'must be hex, or left out')
    if (!isOfNetwork(address, network)) throw otherNetwork(`entries[${at}].address`, network)
    return {
      address,
      outpoint,
      amount,
      scriptPublicKey: script,
      blockDaaScore: toU64(blockDaaScore),
      isCoinbase,
      covenantId,
    }
  }
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

const MAX_U64 = 2n ** 64n - 1n

/** A DAA score as columns hold it. One outside of their range is below or above all others in either form. */
const toU64 = (score: bigint): bigint => (score < 0n ? 0n : score > MAX_U64 ? MAX_U64 : score)
