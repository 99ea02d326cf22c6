import type { TriggerTexts } from './texts.js'

export const TRIGGER_TEXTS: TriggerTexts = {
  connect: 'Connect wallet',
  connecting: 'Connecting …',
  locked: 'Wallet locked',
  disconnected: 'Wallet disconnected',
  wrongNetwork: 'Wrong network',
}
