import type { FaultGate } from '../faults.js'
import type { PageWindow } from '../page.js'
import { pause, toJsonCopy } from '../extension-calls.js'
import { connect, signAndBroadcastTx, signMessage, signTx, switchNetwork, READ_METHODS } from './methods.js'
import { readRequest, toReply, type RelayRequest } from './envelope.js'
import type { Kastle } from './extension.js'
import { buildTransaction, sendSompi } from './payments.js'

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
export const isKnownMethod = (name: string): boolean => name in HANDLERS

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
