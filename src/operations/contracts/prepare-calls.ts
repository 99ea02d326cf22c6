import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { contractMoved, stateUnknown } from '../../errors/contract-errors.js'
import type { ChainNetwork } from '../../model/network.js'
import { toOutpointKey, toScriptKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import type { KnownOutput } from '../../model/contracts/pending-call.js'
import type { DescribedCall, FetchEntries } from './contract-call.js'

/** A call with the output that it spends. */
export interface PreparedCall {
  readonly call: DescribedCall
  readonly state: unknown
  readonly utxo: UtxoEntry
  /** How many unconfirmed own calls the output depends on. */
  readonly depth: number
}

export interface PrepareContext {
  readonly network: ChainNetwork
  readonly call: Call
  readonly maxUnconfirmedCalls: number
  /** The own transaction whose states are spent again. */
  readonly replaces: string | undefined
}

/** The DAA score of an output that no block has yet, as scripts read it. */
export const MEMPOOL_SCORE = 2n ** 64n - 1n

/**
 * Finds the outputs that calls spend, in the order of the inputs: the leader of a covenant before its delegates.
 * Rejects with `ChainError`: `invalid-argument`, `state-unknown`, `contract-moved`, `limit-exceeded`,
 * `unexpected-response`; with `ChainRpcError` where the node does not respond.
 */
export async function prepareCalls(
  calls: readonly DescribedCall[],
  { network, call, maxUnconfirmedCalls, replaces }: PrepareContext,
): Promise<readonly PreparedCall[]> {
  const fetchEntries: FetchEntries = async (of) => (await call('getUtxosByAddresses', { addresses: [...of] })).entries
  for (const target of new Set(calls.map((one) => one.target))) await target.locate(network, fetchEntries)
  const chosen = leadersFirst(calls).map((one) => ({ call: one, output: chooseOutput(one, replaces) }))
  requireDistinct(chosen.map(({ output }) => output))
  const addresses = chosen.map(({ call: { target }, output }) =>
    target.contract.scriptAddress(stateOf(output), network),
  )
  const entries = byOutpoint(await fetchEntries([...new Set(addresses)]))
  return chosen.map(({ call: one, output }) => {
    const entry = entries.get(toOutpointKey(output.outpoint))
    if (entry === undefined && output.depth > maxUnconfirmedCalls) throw tooDeep(maxUnconfirmedCalls)
    return {
      call: one,
      state: output.state,
      utxo: entry === undefined ? toUnconfirmed(one, output) : toConfirmed(one, output, entry),
      depth: entry === undefined ? output.depth : 0,
    }
  })
}

/** The state in a form that contracts encode. */
const stateOf = ({ state }: KnownOutput) => state as never

/** Stable apart from that: scripts read the positions. */
function leadersFirst(calls: readonly DescribedCall[]): readonly DescribedCall[] {
  const ids = [...new Set(calls.map(({ covenantId }) => covenantId))]
  return ids.flatMap((id) => {
    const group = calls.filter(({ covenantId }) => covenantId === id)
    return [...group.filter((one) => !isDelegate(one)), ...group.filter(isDelegate)]
  })
}

/** Whether a call follows the leader of its covenant, which names the outputs. */
export const isDelegate = ({ entry, target }: DescribedCall): boolean => entry === target.contract.delegateEntry

function chooseOutput({ target, options: { from } }: DescribedCall, replaces: string | undefined): KnownOutput {
  const unspent = target.unspent(replaces)
  const found = from && unspent.find(({ outpoint }) => toOutpointKey(outpoint) === toOutpointKey(from))
  const [first, second] = found === undefined ? unspent : [found]
  if (from !== undefined && found === undefined) throw notUnspent(target.spenderOf(from), target.covenantId)
  if (first === undefined) throw ended(target.covenantId)
  if (second !== undefined)
    throw invalidArgument('from', 'The contract has several outputs', 'Name the one that the call spends: from.')
  if (first.state === null)
    throw stateUnknown('The state that the call spends is not known', 'Follow the instance from its genesis.')
  return first
}

function requireDistinct(outputs: readonly KnownOutput[]): void {
  const keys = new Set(outputs.map(({ outpoint }) => toOutpointKey(outpoint)))
  if (keys.size < outputs.length) throw invalidArgument('from', 'Two calls of a transaction spend the same output')
}

const byOutpoint = (entries: readonly UtxoEntry[]): ReadonlyMap<OutpointKey, UtxoEntry> =>
  new Map(entries.map((entry) => [toOutpointKey(entry.outpoint), entry]))

const toUtxo = ({ target, covenantId }: DescribedCall, output: KnownOutput): Omit<UtxoEntry, 'blockDaaScore'> => ({
  outpoint: output.outpoint,
  amount: output.value,
  scriptPublicKey: target.contract.scriptPublicKey(stateOf(output)),
  isCoinbase: false,
  covenantId,
})

/** Only the score is the node's: all else is proved by the genesis and what follows it. */
function toConfirmed(call: DescribedCall, output: KnownOutput, entry: UtxoEntry): UtxoEntry {
  const utxo = toUtxo(call, output)
  const isSame =
    entry.amount === utxo.amount &&
    entry.covenantId === utxo.covenantId &&
    toScriptKey(entry.scriptPublicKey) === toScriptKey(utxo.scriptPublicKey)
  if (!isSame) throw otherOutput(output)
  return { ...utxo, blockDaaScore: entry.blockDaaScore }
}

function toUnconfirmed(call: DescribedCall, output: KnownOutput): UtxoEntry {
  if (output.depth > 0) return { ...toUtxo(call, output), blockDaaScore: MEMPOOL_SCORE }
  throw notUnspent(call.target.spenderOf(output.outpoint), call.covenantId)
}

const notUnspent = (spentBy: string | undefined, covenantId: string): ChainError =>
  spentBy === undefined
    ? stateUnknown(
        'The output that the call spends is not in the UTXO set of the node',
        'It was spent, or the node is behind: follow the instance, then call its newest state.',
      )
    : contractMoved({ covenantId, spentBy })

const ended = (covenantId: string): ChainError =>
  stateUnknown(
    `No unspent output of the covenant ${covenantId} is known`,
    'It has ended, or the instance was not followed from its genesis.',
  )

const tooDeep = (most: number): ChainError =>
  new ChainError(`The call depends on more than ${most} unconfirmed calls`, {
    code: 'limit-exceeded',
    argument: 'maxUnconfirmedCalls',
    hint: 'Wait until a block accepts them: a replacement of the first one undoes all.',
  })

const otherOutput = ({ outpoint }: KnownOutput): ChainError =>
  new ChainError(`The node reports another output at ${toOutpointKey(outpoint)}`, {
    code: 'unexpected-response',
    hint: 'Connect to another node.',
  })
