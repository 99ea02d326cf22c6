import { createTokens, type Tokens } from '../../../contracts/tokens/create-tokens.js'
import type { CoreParts } from '../../../engine/core-parts.js'
import { joinEngine } from '../../../engine/engine.js'
import { feature } from '../../../engine/feature.js'
import { appContracts } from './app-contracts.js'

/** The tokens of an app: one list for all of its components, with the app's contracts. */
export const appTokens = (core: CoreParts): Tokens =>
  createTokens({ engine: feature(core, joinEngine), contracts: feature(core, appContracts) })
