import type { PageWindow } from '../page.js'
import { toReply } from './envelope.js'

/** What Kastle tells a page without being asked: messages, amid those of its EVM side, which use the same road. */
export interface KastleNews {
  /** The selected account's address; null where it does not know the site. */
  account(address: string | null): void
  network(network: string): void
  /** Whether the selected account knows the site. */
  host(connected: boolean): void
  /** What the EVM side says at the same time, and what is not meant for us. */
  noise(): void
}

export function createNews(page: PageWindow): KastleNews {
  const post = (id: string, response: unknown): void => page.postMessage(toReply({ id, response }), '*')
  return {
    account: (address) => post('kas:account_changed', address),
    network: (network) => post('kas:network_changed', network),
    host: (connected) => post('kas:host_connected', connected),
    noise: () => {
      post('chainChanged', '0x3173b')
      post('accountsChanged', [])
    },
  }
}
