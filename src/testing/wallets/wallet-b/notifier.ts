import type { PageWindow } from '../page.js'
import { toReply } from './envelope.js'

/** Kastle's events to a page as messages, mixed with those of its EVM provider. */
export interface KastleNotifier {
  /** The selected account's address; null if it has not permitted the site. */
  account(address: string | null): void
  network(network: string): void
  /** Whether the selected account has permitted the site. */
  host(connected: boolean): void
  /** Unrelated messages of the EVM provider. */
  noise(): void
}

export function createNotifier(page: PageWindow): KastleNotifier {
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
