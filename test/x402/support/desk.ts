import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { NEVER, firstValueFrom } from 'rxjs'
import type { KaspaClient } from '../../../src/x402/client/kaspa-client.js'
import type { KaspaFacilitator } from '../../../src/x402/server/facilitator.js'
import { kaspaExact } from '../../../src/x402/server/kaspa-exact.js'
import type { X402Store } from '../../../src/x402/stores/store.js'
import { PRICE } from './market.js'

export const URL = 'https://api.example.com/report'

/** The terms of a route. */
export async function offer(
  x402: KaspaFacilitator,
  payTo: string,
  fields: Partial<PaymentRequirements> = {},
): Promise<PaymentRequirements> {
  const [kind] = (await x402.getSupported()).kinds
  return kaspaExact().enhancePaymentRequirements(
    {
      ...{ scheme: 'exact', network: 'kaspa:simnet', asset: 'KAS', amount: String(PRICE), payTo },
      ...{ maxTimeoutSeconds: 60, extra: { paymentFlow: 'upfront' } },
      ...fields,
    },
    kind!,
    [],
  )
}

/** What an agent sends for an offer. */
export async function payment(kaspa: KaspaClient, accepted: PaymentRequirements, url = URL): Promise<PaymentPayload> {
  const paymentRequired = { x402Version: 2, resource: { url }, accepts: [accepted] }
  await kaspa.schemeHooks!.onBeforePaymentCreation!({ paymentRequired, selectedRequirements: accepted })
  const { payload, extensions } = await kaspa.createPaymentPayload(2, accepted)
  return { x402Version: 2, accepted, payload, ...(extensions && { extensions }) }
}

export interface Presented {
  readonly status: number
  readonly body: string
  readonly reason: string | undefined
}

/** A server without sockets: middleware, verification, settlement and handler, as the upstream middleware runs them. */
export async function present(
  x402: KaspaFacilitator,
  paid: PaymentPayload,
  terms: PaymentRequirements,
  { url = URL, handler = () => 'the report' }: { readonly url?: string; readonly handler?: () => string } = {},
): Promise<Presented> {
  let reason: string | undefined
  const context = {
    req: { method: 'GET', url, arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) },
    res: new Response(null, { status: 404 }),
  }
  await x402.context()(context, async () => {
    const { isValid, invalidReason } = await x402.verify(paid, terms)
    const settled = isValid ? await x402.settle(paid, terms) : undefined
    reason = settled === undefined ? invalidReason : settled.errorReason
    context.res = settled?.success === true ? new Response(handler()) : new Response(null, { status: 402 })
  })
  return { status: context.res.status, body: await context.res.text(), reason }
}

/** A store of a process that ends after so many writes: no call ever resolves then. */
export function killedAfter(store: X402Store, writes: number): X402Store & { readonly killed: Promise<void> } {
  let count = 0
  let kill: () => void = () => undefined
  const killed = new Promise<void>((resolve) => (kill = resolve))
  const dead = <T>(): Promise<T> => firstValueFrom(NEVER)
  const read =
    <Given extends readonly unknown[], T>(call: (...given: Given) => Promise<T>) =>
    (...given: Given): Promise<T> =>
      count >= writes ? dead() : call(...given)
  const write =
    <Given extends readonly unknown[], T>(call: (...given: Given) => Promise<T>) =>
    async (...given: Given): Promise<T> => {
      if (count >= writes) return dead()
      const result = await call(...given)
      if (++count < writes) return result
      kill()
      return dead()
    }
  return {
    killed,
    isDurable: store.isDurable,
    claim: write((given) => store.claim(given)),
    update: write((given) => store.update(given)),
    find: read((network, id) => store.find(network, id)),
    after: read((network, sequence) => store.after(network, sequence)),
    cursor: read((network) => store.cursor(network)),
    saveCursor: read((network, cursor) => store.saveCursor(network, cursor)),
    release: read((given) => store.release(given)),
    prune: read((network, time) => store.prune(network, time)),
  }
}
