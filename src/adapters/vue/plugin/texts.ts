import type { InjectionKey } from 'vue'
import type { ConnectWalletTexts } from '../components/connect-wallet/texts.js'

/** Injection key of the app's texts. `Symbol.for` makes it equal across two copies of this module. */
export const TEXTS: InjectionKey<Partial<ConnectWalletTexts>> = Symbol.for('vue-chain texts')
