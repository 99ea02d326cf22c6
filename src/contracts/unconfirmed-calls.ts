import {
  EMPTY,
  catchError,
  distinctUntilChanged,
  exhaustMap,
  from,
  map,
  merge,
  of,
  switchMap,
  throttleTime,
  timer,
  type Observable,
} from 'rxjs'
import type { CoreParts } from '../engine/core-parts.js'
import { ChainError } from '../errors/chain-error.js'
import { decodeCall } from '../model/contracts/decode-call.js'
import type { InstanceState } from '../model/contracts/instance-state.js'
import { toOutpointKey, type Outpoint, type OutpointKey } from '../model/utxo.js'
import type { RpcTransaction } from '../node/messages/records.js'
import { fetchMempool } from '../operations/contracts/fetch-mempool.js'
import { toCall } from '../operations/queries/call.js'
import type { InstanceStore } from './instance-store.js'

/** A transaction of the mempool that spends an output of an instance. */
export interface UnconfirmedCall {
  readonly transactionId: string
  /** What it spends. */
  readonly outpoint: Outpoint
  /** The entry that is called; null where the signature script shows none. */
  readonly entry: string | null
  /** As the node reports them. Null where they are not those of the entry. */
  readonly arguments: Readonly<Record<string, unknown>> | null
  /** Whether these contracts have sent it. */
  readonly isOwn: boolean
}

/** Ms between two reads of the mempool, which has no notifications. */
const READ_INTERVAL = 1_000
/** Minimum ms between two reads. */
const MIN_INTERVAL = 250

/**
 * What the mempool has of calls of an instance, read once a second and after each change of its outputs, while there is
 * a connection. It decides which own calls are shown: none that another one has taken the place of, or that neither
 * mempool nor chain has any more. Never errors: a read that fails is made again.
 */
export const unconfirmedCalls$ = (core: CoreParts, store: InstanceStore): Observable<readonly UnconfirmedCall[]> => {
  const { session$, platform } = core
  const due$ = merge(timer(0, READ_INTERVAL, platform.scheduler), store.state$)
  return session$.pipe(
    switchMap((session) => (session === null ? EMPTY : due$)),
    throttleTime(MIN_INTERVAL, platform.scheduler, { leading: true, trailing: true }),
    exhaustMap(() => read$(core, store)),
    distinctUntilChanged(isSame),
  )
}

function read$(core: CoreParts, store: InstanceStore): Observable<readonly UnconfirmedCall[]> {
  const state = store.state$.value
  const outputs = outputsOf(state)
  const sent = state?.pending ?? []
  const own = new Set(sent.map((call) => call.transactionId))
  const { contract } = store.target
  const addresses = outputs.flatMap((output) =>
    output.state === null ? [] : [contract.scriptAddress(output.state as never, core.network())],
  )
  if (addresses.length === 0) return state === null ? EMPTY : of([]) // nothing is left to call
  const unspent = new Map(outputs.map(({ outpoint }) => [toOutpointKey(outpoint), outpoint]))
  return from(fetchMempool([...new Set(addresses)], toCall(core))).pipe(
    map((transactions) => {
      const calls = [...transactions].flatMap(([id, one]) => callsIn(id, one, unspent, contract))
      const spenders = new Map(calls.map((call) => [toOutpointKey(call.outpoint), call.transactionId]))
      store.apply({ type: 'mempool', spenders, listed: new Set(transactions.keys()), sent })
      return calls.map((call) => ({ ...call, isOwn: own.has(call.transactionId) }))
    }),
    catchError((error: unknown) => {
      if (error instanceof ChainError) return EMPTY // the next read corrects it
      throw error
    }),
  )
}

/** What is unspent on the chain, and what own calls create. */
const outputsOf = (state: InstanceState | null) =>
  state === null ? [] : [...state.outputs, ...state.pending.flatMap(({ created }) => created)]

const callsIn = (
  transactionId: string,
  transaction: RpcTransaction,
  unspent: ReadonlyMap<OutpointKey, Outpoint>,
  contract: object,
): readonly Omit<UnconfirmedCall, 'isOwn'>[] =>
  transaction.inputs.flatMap(({ previousOutpoint, signatureScript }) => {
    const outpoint = unspent.get(toOutpointKey(previousOutpoint))
    if (outpoint === undefined) return []
    const { entry = null, args = null } = decodeCall(contract, signatureScript) ?? {}
    return { transactionId, outpoint, entry, arguments: args }
  })

const isSame = (before: readonly UnconfirmedCall[], after: readonly UnconfirmedCall[]): boolean =>
  before.map(keyOf).join() === after.map(keyOf).join()

const keyOf = ({ transactionId: id, outpoint, isOwn }: UnconfirmedCall): string =>
  `${id} ${toOutpointKey(outpoint)} ${isOwn}`
