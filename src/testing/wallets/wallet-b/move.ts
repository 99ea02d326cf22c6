import { addressOf, isConnected, type Kastle } from './extension.js'

/** The account's news follow those of the network by so many ms. */
const LAG = 20

/**
 * Goes to another network. Usually addresses are rewritten first and told of last; where they are `stale` the news still
 * carries the old one, and the rewriting that follows is told to nobody.
 */
export function moveTo(kastle: Kastle, network: string): void {
  const { vault, news, answers } = kastle
  vault.update({ network })
  if (answers.address === 'prompt') kastle.addressNetwork = network
  news.noise()
  news.network(network)
  setTimeout(() => {
    news.account(isConnected(kastle) ? addressOf(kastle) : null)
    setTimeout(() => (kastle.addressNetwork = network), LAG)
  }, LAG)
}
