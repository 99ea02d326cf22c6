import { throwValue, type FaultGate, pause, toJsonCopy } from '../extension-calls.js'
import { type CallExtension, readRequest, toReply, type RelayRequest } from './transport.js'
import { paymentIssues, textIssues, throwIssues, buildTransaction, sendSompi } from './payments.js'
import type { PageWindow } from '../page.js'
import { connect, signAndBroadcastTx, signMessage, signTx, switchNetwork, READ_METHODS } from './methods.js'
import type { Kastle } from './extension.js'

type KastleListener = (payload: never) => void

/** The shape of `window.kastle`: prototype methods, which fail without their receiver. */
export class KastleProvider {
  /** @internal */
  readonly listenersOf = new Map<string, Set<KastleListener>>()
  /** @internal */
  readonly call: CallExtension
  /** @internal */
  readonly objectRequest: 'ignored' | 'understood'

  /** @internal */
  constructor(call: CallExtension, objectRequest: 'ignored' | 'understood') {
    this.call = call
    this.objectRequest = objectRequest
  }

  on(event: string, listener: (payload: never) => void): this {
    this.listenersOf.set(event, (this.listenersOf.get(event) ?? new Set()).add(listener))
    return this
  }

  removeListener(event: string, listener: (payload: never) => void): this {
    this.listenersOf.get(event)?.delete(listener)
    return this
  }

  /** Ignores its arguments; resolves to true on approval. */
  async connect(): Promise<unknown> {
    return this.call('kas:connect')
  }

  /** Does nothing: only the user can revoke a permission. */
  disconnect(): Promise<void> {
    return Promise.resolve()
  }

  async getAccount(): Promise<unknown> {
    return this.call('kas:get_account')
  }

  async getNetwork(): Promise<unknown> {
    return this.call('kas:get_network')
  }

  async getVersion(): Promise<unknown> {
    return this.call('kas:get_version')
  }

  async getBalance(): Promise<unknown> {
    return this.call('kas:get_balance')
  }

  async getUtxoEntries(): Promise<unknown> {
    return this.call('kas:get_utxo_entries')
  }

  async switchNetwork(network: unknown): Promise<unknown> {
    return this.call('kas:switch_network', network)
  }

  async sendKaspa(toAddress: unknown, sompi: unknown, options?: unknown): Promise<unknown> {
    throwIssues(paymentIssues(toAddress, sompi, options))
    return this.call('kas:send_sompi', { toAddress, sompi, options })
  }

  async buildTransaction(outputs: unknown, options?: unknown): Promise<unknown> {
    return this.call('kas:build_transaction', { outputs, options })
  }

  async signAndBroadcastTx(networkId: unknown, txJson: unknown, scripts?: unknown): Promise<unknown> {
    throwIssues(textIssues(txJson, ['txJson'], 'Required'))
    return this.call('kas:sign_and_broadcast_tx', { networkId, txJson, scripts })
  }

  async signTx(networkId: unknown, txJson: unknown, scripts?: unknown): Promise<unknown> {
    throwIssues(textIssues(txJson, ['txJson'], 'Required'))
    return this.call('kas:sign_tx', { networkId, txJson, scripts })
  }

  async signMessage(message: unknown): Promise<unknown> {
    throwIssues(textIssues(message, [], 'Message cannot be empty'))
    return this.call('kas:sign_message', message)
  }

  /** The generic method; an unknown name resolves to undefined. */
  async request(request: unknown, args?: unknown): Promise<unknown> {
    if (typeof request === 'string') return isKnownMethod(request) ? this.call(request, args) : undefined
    if (this.objectRequest === 'ignored') return undefined
    const { method, params } = request as { method: string; params?: unknown }
    return isKnownMethod(method)
      ? this.call(method, params)
      : throwValue({ code: 4200, message: `Unsupported method ${method}` })
  }
}

type Handle = (kastle: Kastle, args: unknown) => unknown

const HANDLERS: Readonly<Record<string, Handle>> = /*#__PURE__*/ (() => ({
  ...READ_METHODS,
  'kas:connect': connect,
  'kas:switch_network': switchNetwork,
  'kas:sign_message': signMessage,
  'kas:send_sompi': sendSompi,
  'kas:build_transaction': buildTransaction,
  'kas:sign_tx': signTx,
  'kas:sign_and_broadcast_tx': signAndBroadcastTx,
}))()

/** Whether a page can call the method. */
const isKnownMethod = (name: string): boolean => name in HANDLERS

/** Starts the relay from the page to the extension. Earlier calls are dropped. */
export function openRelay(page: PageWindow, kastle: Kastle, faults: FaultGate, latency: number): void {
  page.addEventListener('message', (event) => {
    const request = readRequest(event)
    // The relay cannot forward a bigint: such a call is dropped without an error
    if (request === undefined || !isJson(request.args)) return
    void respond(request, kastle, faults, latency).then((reply) => page.postMessage(reply, '*'))
  })
}

async function respond({ id, method, args }: RelayRequest, kastle: Kastle, faults: FaultGate, latency: number) {
  await pause(latency)
  try {
    await faults.apply(method)
    return toReply({ id, response: toJsonCopy(await HANDLERS[method]?.(kastle, args)) })
  } catch (error) {
    return toReply({ id, response: null, error: toWireError(error) })
  }
}

function toWireError(error: unknown): string | { code: number; message: string } {
  if (error instanceof Error) return error.message
  return typeof error === 'object' && error !== null && 'code' in error
    ? (error as { code: number; message: string })
    : String(error)
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
