import type { TriggerTexts } from './texts.js'

export const TRIGGER_TEXTS: TriggerTexts = {
  connect: 'Connect wallet',
  connecting: 'Connecting …',
  locked: 'Wallet locked',
  gone: 'Wallet disconnected',
  wrongNetwork: 'Wrong network',
}
