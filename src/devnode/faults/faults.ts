import { prepareFault, type ActiveFault, type PreparedFault } from './active-fault.js'
import type { FaultSpan, FaultContext, HandshakeDecision, CallDecision, Fault, OutgoingMessage } from './fault.js'
import { FAULT_KINDS, type FaultName, type SettingsOf } from './kinds.js'
import { faultSchedule, playRandomFaults, type RandomFaults } from './random-faults.js'
import type { NodeNotification, RpcMethod, RpcResponse } from '../../node/messages/records.js'
import type { HttpRequest, HttpResponse } from '../http.js'

/** Begins a fault. Throws `ChainError` (`invalid-argument`) for an unknown setting or an invalid value. */
export type BeginFault<N extends FaultName> = (
  // named settings only: the index signature of a kind without settings would forbid those of `FaultSpan`
  settings?: { readonly [K in keyof SettingsOf<N> as string extends K ? never : K]?: SettingsOf<N>[K] } & FaultSpan,
) => ActiveFault

/** A method for each kind of fault. */
export type FaultMethods = { readonly [N in FaultName]: BeginFault<N> }

/** Injects faults. Any number may be active at the same time. */
export interface Faults extends FaultMethods {
  /** Begins a fault by its name, for names and settings that are not known at compile time. */
  begin(name: FaultName, settings?: unknown): ActiveFault
  /**
   * Plays random faults, `rate` a second on average: the same for the same seed. The default of `kinds` is that of
   * `faultSchedule`. Throws `ChainError` (`invalid-argument`) for a rate of 0 or less and for empty `kinds`.
   */
  random(seed: number, rate: number, kinds?: readonly FaultName[]): RandomFaults
  active(): readonly ActiveFault[]
  /** Ends all active faults and the schedules of `random`. */
  clear(): void
}

/** The methods that begin faults, and the layer that applies the active ones in the servers. */
export function createFaults(context: Omit<FaultContext, 'triggered'>): {
  readonly faults: Faults
  readonly layer: FaultLayer
} {
  let running: readonly PreparedFault[] = []
  let players: readonly RandomFaults[] = []

  const begin = (name: FaultName, settings?: unknown): ActiveFault => {
    const prepared = prepareFault(name, settings, context, (done) => (running = running.filter((one) => one !== done)))
    running = [...running, prepared]
    prepared.begin()
    return prepared.handle
  }
  const random = (seed: number, rate: number, kinds?: readonly FaultName[]): RandomFaults => {
    const player = playRandomFaults(
      seed,
      faultSchedule(seed, rate, kinds),
      ({ name, settings }) => begin(name, settings),
      context.timers,
    )
    players = [...players, player]
    return player
  }
  const clear = () => {
    for (const player of players) player.stop()
    players = []
    for (const { handle } of running) handle.stop()
  }

  return {
    faults: { ...toMethods(begin), begin, random, active: () => running.map(({ handle }) => handle), clear },
    layer: createFaultLayer(() => running.map(({ fault }) => fault)),
  }
}

/** One method for each kind. Settings are validated at run time, so the cast is safe. */
function toMethods(begin: Faults['begin']): FaultMethods {
  const names = Object.keys(FAULT_KINDS) as FaultName[]
  return Object.fromEntries(names.map((name) => [name, (settings?: unknown) => begin(name, settings)])) as FaultMethods
}

/** The hooks that the servers call: the active faults as one. */
export interface FaultLayer {
  handshake(): HandshakeDecision
  call(method: RpcMethod): CallDecision | undefined
  /** A response that replaces the execution of a call; undefined: execute it. */
  stub<M extends RpcMethod>(method: M): RpcResponse<M> | undefined
  transform<M extends RpcMethod>(method: M, response: RpcResponse<M>): RpcResponse<M>
  notifications(batch: readonly NodeNotification[]): readonly NodeNotification[]
  outgoing(message: OutgoingMessage): readonly OutgoingMessage[]
  rest(request: HttpRequest): HttpResponse | undefined
}

const ACCEPT: HandshakeDecision = { kind: 'accept' }

/** Combines faults: the first decision wins, changes to messages are applied in the order in which the faults began. */
function createFaultLayer(active: () => readonly Fault[]): FaultLayer {
  return {
    handshake: () => firstOf(active(), (fault) => fault.handshake?.()) ?? ACCEPT,
    call: (method) => firstOf(active(), (fault) => fault.call?.(method)),
    stub: (method) => firstOf(active(), (fault) => stubOf(fault, method)),
    transform: (method, response) =>
      active().reduce((current, fault) => transformResponse(fault, method, current), response),
    notifications: (batch) => active().reduce((current, fault) => fault.notifications?.(current) ?? current, batch),
    outgoing: (message) =>
      active().reduce<readonly OutgoingMessage[]>(
        (outgoing, fault) =>
          fault.outgoing === undefined ? outgoing : outgoing.flatMap((one) => fault.outgoing?.(one) ?? one),
        [message],
      ),
    rest: (request) => firstOf(active(), (fault) => fault.rest?.(request)),
  }
}

function firstOf<T>(faults: readonly Fault[], decide: (fault: Fault) => T | undefined): T | undefined {
  for (const fault of faults) {
    const decision = decide(fault)
    if (decision !== undefined) return decision
  }
  return undefined
}

function stubOf<M extends RpcMethod>(fault: Fault, method: M): RpcResponse<M> | undefined {
  return fault.stubs?.[method]?.()
}

function transformResponse<M extends RpcMethod>(fault: Fault, method: M, response: RpcResponse<M>): RpcResponse<M> {
  const change = fault.transforms?.[method]
  return change === undefined ? response : change(response)
}
