import { addressOf, isConnected, type Kastle } from './extension.js'

/** Ms from the network event to the account event. */
const LAG = 20

/**
 * Switches the network. By default the address changes before the event; with `stale` the event has the old address,
 * which stays until `updateAddress`.
 */
export function changeNetwork(kastle: Kastle, network: string): void {
  const { accountState, notifier, behavior } = kastle
  accountState.update({ network })
  if (behavior.address === 'prompt') kastle.addressNetwork = network
  notifier.noise()
  notifier.network(network)
  setTimeout(() => {
    notifier.account(isConnected(kastle) ? addressOf(kastle) : null)
  }, LAG)
}
