import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { type ChainNetwork, NETWORKS } from '../../model/network.js'
import type { SerializedCall } from '../../model/serialized-transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { validateScripts } from '../../script/verify.js'
import type { BuiltTransaction } from '../transactions/build.js'
import { runSpends, type ContractSpend } from './contract-spend.js'
import { stateUnknown } from '../../errors/contract-errors.js'
import { fromHex, toHex } from '../../model/hex.js'
import { decodeCall } from '../../model/contracts/decode-call.js'
import { isPlaceholder, signersOf, type SignableSpend } from './contract-signing.js'
import type { CallTarget } from './contract-call.js'
import type { PlacedCall } from './place-calls.js'
import { MEMPOOL_SCORE } from './prepare-calls.js'

/** A transaction of contracts of an earlier process. */
export interface RestoredContract {
  readonly built: BuiltTransaction
  /** What it spends. */
  readonly entries: readonly UtxoEntry[]
  readonly records: readonly SerializedCall[]
  readonly isSigned: boolean
}

/**
 * Executes the scripts of a transaction again, with its signatures, or with placeholders where it is to be signed.
 * Returns the calls that are to be signed. Throws `ChainError`: `invalid-argument`, `state-unknown`.
 */
export function checkRestored(
  { built, entries, records, isSigned }: RestoredContract,
  context: { readonly network: ChainNetwork; readonly targetOf: TargetOf },
): readonly RestoredCall[] {
  if (!isSigned && records.length === 0) throw notSigned()
  const calls = isSigned ? [] : restoreCalls(built, records, entries, context)
  if (built.fee < 0n) throw notRestorable('its outputs exceed its inputs')
  const violation = isSigned ? validateScripts(built.transaction, entries) : refusalOf(built, calls)
  if (violation !== undefined) throw notRestorable(violation)
  return calls
}

/** Why a node would refuse the calls of an unsigned transaction. */
function refusalOf(built: BuiltTransaction, calls: readonly RestoredCall[]): string | undefined {
  const run = runSpends(
    built,
    calls.map(({ spend }) => spend),
  )
  return run.kind === 'refused' ? run.reason : undefined
}

const notSigned = (): ChainError =>
  invalidArgument(
    'serialized',
    'The serialized transaction is not signed',
    'It has no record of its calls: plan them again. Nothing was sent.',
  )

const notRestorable = (details: string): ChainError =>
  new ChainError('The serialized transaction cannot be restored', {
    code: 'invalid-argument',
    argument: 'serialized',
    details,
    hint: 'It was changed after serialize() returned it. Nothing was sent.',
  })

/** A call of a serialized transaction, to be signed. */
interface RestoredCall {
  readonly spend: SignableSpend
  readonly placed: PlacedCall
}

/**
 * The calls of a transaction of an earlier process, which are its first inputs. Throws `ChainError`: `state-unknown`
 * where an instance is not known, `invalid-argument` where the record is not that of the transaction.
 */
function restoreCalls(
  { transaction }: Pick<BuiltTransaction, 'transaction'>,
  records: readonly SerializedCall[],
  entries: readonly UtxoEntry[],
  { network, targetOf }: { readonly network: ChainNetwork; readonly targetOf: TargetOf },
): readonly RestoredCall[] {
  return records.map((record, input) => {
    const { covenantId, entry, redeemScripts, computeBudget: budget } = record
    const { signatureScript = '', sequence } = transaction.inputs[input] ?? {}
    const utxo = entries[input]
    if (utxo?.covenantId !== covenantId || !hasPlaceholders(signatureScript, record)) throw otherRecord()
    const target = targetOf(covenantId) ?? unknownInstance(covenantId)
    const { contract } = target
    const call = decodeCall(contract, signatureScript)
    const state = call && contract.decodeState(call.redeemScript)
    const states = redeemScripts.map((script) => contract.decodeState(script))
    if (call?.entry !== entry || state === undefined || states.includes(undefined)) throw otherRecord()
    const shown = {
      name: contract.name,
      entry,
      arguments: call.args,
      covenantId,
      stateBefore: state,
      stateAfter: states,
    }
    const script = withSignatures(signatureScript, record)
    const signers = signersOf(
      (sign) => (sign === undefined ? signatureScript : script(sign)),
      shown,
      NETWORKS[network].addressPrefix,
    )
    const isOutputOf = ({ covenant }: BuiltTransaction['transaction']['outputs'][number]): boolean =>
      covenant?.covenantId === covenantId && covenant.authorizingInput === input
    return {
      spend: { utxo, entry, script, sequence, budget, signers },
      placed: {
        call: { covenantId, entry, args: call.args, options: {}, target },
        state,
        utxo,
        depth: utxo.blockDaaScore === MEMPOOL_SCORE ? 1 : 0,
        args: call.args,
        states,
        outputs: transaction.outputs.filter(isOutputOf),
      },
    }
  })
}

/** Whether a signature script has those placeholders. */
const hasPlaceholders = (script: string, { signatures }: SerializedCall): boolean =>
  signatures.every((one) => isPlaceholder(script, one))

/** The signature script with signatures in place of its placeholders; with placeholders without `sign`. */
const withSignatures =
  (script: string, { signatures }: SerializedCall): ContractSpend['script'] =>
  (sign) => {
    if (sign === undefined) return script
    const bytes = fromHex(script)
    for (const [position, { at, address }] of signatures.entries()) bytes.set(sign(address, `args[${position}]`), at)
    return toHex(bytes)
  }

/** The instance of a covenant that these contracts know. */
export type TargetOf = (covenantId: string) => CallTarget | undefined

function unknownInstance(covenantId: string): never {
  throw stateUnknown(
    `The instance of the covenant ${covenantId} is not known here`,
    'Name it before: contracts.instance(contract, genesis).',
  )
}

const otherRecord = (): Error =>
  invalidArgument(
    'serialized',
    'The serialized transaction cannot be restored',
    'Its calls are not those of its scripts. Nothing was sent.',
  )
