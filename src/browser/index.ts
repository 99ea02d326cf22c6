/**
 * Entry point for pages without a bundler: everything, with RxJS inside. Only `vue` comes from the page's import map.
 */

export * from '../index.js'
export * from '../streams/index.js'
export * from '../engine/index.js'
export { light } from '../sdk/light/light.js'
