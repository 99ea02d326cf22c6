import { SOMPI_PER_KASPA, type RpcEncoding } from 'vue-chain'

/** An account that devnode has funded. Its key is public knowledge. */
export interface Account {
  readonly index: number
  readonly address: string
  readonly privateKeyHex: string
}

/** What the server writes into the head of the page: the network that runs beside it. */
interface Page {
  readonly ports: { readonly borsh: number; readonly json: number; readonly rest: number; readonly control: number }
  readonly accounts: readonly Account[]
}

const page = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=devnode]')?.content ?? 'null') as Page | null
if (page === null) throw new Error('This page must be served by `npm run demo` or `npm run dev`, beside a devnode.')

const { ports } = page

/** The accounts of the local network. */
export const accounts = page.accounts

/** The node's RPC address in an encoding, on the host that served the page. */
export const rpcUrl = (encoding: RpcEncoding): string =>
  `ws://${location.hostname}:${encoding === 'Borsh' ? ports.borsh : ports.json}`

export const restUrl = `http://${location.hostname}:${ports.rest}`

/** Has the node mine blocks, side by side in pairs, for an address. */
export const mine = (blocks: number, address: string): Promise<void> =>
  command('/mine', { blocks: blocks / 2, parallel: 2, address })

/** Has devnode pay an address. */
export const fund = (address: string, kas: number): Promise<void> =>
  command('/fund', { address, amount: String(BigInt(kas) * SOMPI_PER_KASPA) })

/** Gives devnode a command on its control endpoint. Rejects with its own words. */
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
