import { SOMPI_PER_KASPA, type RpcEncoding } from 'vue-chain'

/** A funded devnode account. Its key is public. */
export interface Account {
  readonly index: number
  readonly address: string
  readonly privateKeyHex: string
}

/** The content of the meta element `devnode`, written by the server. */
interface Page {
  readonly ports: { readonly borsh: number; readonly json: number; readonly rest: number; readonly control: number }
  readonly accounts: readonly Account[]
}

const page = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=devnode]')?.content ?? 'null') as Page | null
if (page === null) throw new Error('Serve this page with `npm run demo` or `npm run dev`, which start a devnode.')

const { ports } = page

/** The devnode's accounts. */
export const accounts = page.accounts

/** The node's RPC URL for an encoding, on the host that served the page. */
export const rpcUrl = (encoding: RpcEncoding): string =>
  `ws://${location.hostname}:${encoding === 'Borsh' ? ports.borsh : ports.json}`

export const restUrl = `http://${location.hostname}:${ports.rest}`

/** Mines blocks to an address, in parallel pairs. */
export const mine = (blocks: number, address: string): Promise<void> =>
  command('/mine', { blocks: blocks / 2, parallel: 2, address })

/** Funds an address from the faucet. */
export const fund = (address: string, kas: number): Promise<void> =>
  command('/fund', { address, amount: String(BigInt(kas) * SOMPI_PER_KASPA) })

/** Posts a command to devnode's control endpoint. Rejects with the endpoint's error message. */
export async function command(path: string, body: object): Promise<void> {
  const url = `http://${location.hostname}:${ports.control}${path}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (response.ok) return
  const { error } = (await response.json()) as { error: { message: string; hint?: string } }
  throw new Error([error.message, error.hint].filter(Boolean).join('. '))
}
