import { invalidArgument } from '../../errors/chain-error.js'
import { stateUnknown } from '../../errors/contract-errors.js'
import { fromHex, toHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { decodeCall } from '../../model/contracts/decode-call.js'
import type { SerializedCall } from '../../model/serialized-transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { BuiltTransaction } from '../transactions/build.js'
import { isPlaceholder } from './call-record.js'
import type { CallTarget } from './contract-call.js'
import type { ContractSpend } from './contract-spend.js'
import { signersOf, type SignableSpend } from './contract-signing.js'
import type { PlacedCall } from './place-calls.js'
import { MEMPOOL_SCORE } from './prepare-calls.js'

/** A call of a serialized transaction, to be signed. */
export interface RestoredCall {
  readonly spend: SignableSpend
  readonly placed: PlacedCall
}

/**
 * The calls of a transaction of an earlier process, which are its first inputs. Throws `ChainError`: `state-unknown`
 * where an instance is not known, `invalid-argument` where the record is not that of the transaction.
 */
export function restoreCalls(
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
