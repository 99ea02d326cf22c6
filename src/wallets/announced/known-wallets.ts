import type { WalletInfo } from '../port.js'
import { toComparableName } from './display-name.js'

/** Names and domains of the built-in wallets. No announcement can take them. */
const KNOWN_NAMES: readonly string[] = ['kasware', 'kastle']
const KNOWN_DOMAINS: readonly string[] = ['xyz.kasware', 'cc.kastle']

/**
 * Whether an announcement has the name or domain of a built-in wallet. That wallet is found at its property of
 * `window`; a second entry would be a duplicate, or an impostor.
 */
export const isKnownWallet = ({ name, rdns }: Pick<WalletInfo, 'name' | 'rdns'>): boolean =>
  KNOWN_NAMES.includes(toComparableName(name)) ||
  KNOWN_DOMAINS.some((domain) => `${rdns ?? ''}.`.toLowerCase().startsWith(`${domain}.`))
