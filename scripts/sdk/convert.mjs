/**
 * The nodejs-target glue of wasm-bindgen as an ES module for browsers, bundlers and Node.
 * The glue becomes the body of a factory: after a panic the memory of an instance cannot be trusted, and only a new
 * closure gives a new one. Every edit must match, or the conversion fails: changed glue needs a review first.
 */

/** Parts of the glue to remove or to replace by a function of runtime.js; each must match at least once. */
const EDITS = [
  {
    what: 'the export object that doubles as import object',
    from: /^let imports = \{\};\nimports\['__wbindgen_placeholder__'\] = module\.exports;\n/m,
    to: 'const imports = {};\n',
  },
  {
    what: "Node's util",
    from: /^const \{ TextDecoder, TextEncoder, inspect \} = require\(`util`\);$/m,
    to: "const inspectCustom = Symbol.for('nodejs.util.inspect.custom');",
  },
  { what: "Node's way to print an object", from: /\[inspect\.custom\]\(\)/g, to: '[inspectCustom]()' },
  {
    what: 'reading and compiling the WASM while the module loads',
    from: /^const path = require\('path'\)[\s\S]*?^module\.exports\.__wasm = wasm;\s*$/m,
    to: '',
  },
  { what: 'require', from: /(?<![.\w])require\(getStringFromWasm0\(/g, to: 'nodeRequire(getStringFromWasm0(' },
  { what: 'module.require', from: /(?<![.\w])module\.require;/g, to: 'nodeRequire;' },
  {
    what: 'functions made of text',
    from: /new Function\(getStringFromWasm0\(/g,
    to: 'functionFromText(getStringFromWasm0(',
  },
  { what: 'waiting for a frame', from: /(?<![.\w])requestAnimationFrame\(/g, to: 'nextTick(' },
  { what: 'waiting for no frame', from: /(?<![.\w])cancelAnimationFrame\(/g, to: 'cancelTick(' },
  {
    what: "Node's Buffer, for which Parcel adds a package",
    from: /(?<![.\w])Buffer\.from\(/g,
    to: 'globalThis.Buffer.from(',
  },
  { what: 'functions for the WASM', from: /^module\.exports\.(__wb\w+) = /gm, to: 'imports.$1 = ' },
  { what: 'exported classes', from: /^module\.exports\.(\w+) = \1;$/gm, to: '' },
  { what: 'exported functions and tables', from: /^module\.exports\.(\w+) = /gm, to: 'const $1 = ' },
]

/** Code that must not remain: it would fail in a browser, in an ES module, or in a hidden tab. */
const LEFTOVER =
  /(?<![.\w])(?:require\(|module\.|exports\.|__dirname|Buffer\.|requestAnimationFrame|cancelAnimationFrame|new Function)|\[inspect\./

/**
 * Returns the text of dist/sdk/kaspa.js. `glue` is the SDK's own JavaScript, `runtime` the text of runtime.js, `origin`
 * the package and version it came from. Throws where the glue is not as expected.
 */
export function convertGlue(glue, runtime, origin) {
  const names = [...glue.matchAll(/^module\.exports\.(?!__wb|__wasm)(\w+) = /gm)].map(([, name]) => name)
  const body = EDITS.reduce(applyEdit, glue)
  refuseLeftovers(body)
  const classes = names.filter((name) => new RegExp(`^class ${name}\\b`, 'm').test(body))
  if (classes.length === 0) throw new Error('The SDK glue has changed: no exported class found')
  return [
    `// Made by scripts/build-sdk.mjs of ${origin}; its licence (ISC) lies beside this file.`,
    "import { compileGiven, compileOwn } from './wasm.js';",
    runtime.replace(/^export /gm, ''),
    factory(body, names, classes),
    sharedInstance(names),
  ].join('\n')
}

function applyEdit(text, { what, from, to }) {
  const edited = text.replace(from, to)
  if (edited === text) throw new Error(`The SDK glue has changed: ${what} not found`)
  return edited
}

function refuseLeftovers(body) {
  const code = body.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^[ \t]*\/\/.*$/gm, '')
  const left = code.split('\n').find((line) => LEFTOVER.test(line))
  if (left !== undefined) throw new Error(`The SDK glue has changed: this line cannot stay: ${left.trim()}`)
}

/**
 * The glue in a closure of its own. Class names are pinned, because the SDK reads them from objects and minifiers
 * rename classes. Browsers compile a parenthesised function eagerly and off the main thread; without parentheses
 * compilation would block the page at the first call. Minifiers keep the parentheses.
 */
const factory = (body, names, classes) => `
/**
 * A new instance of the SDK: no memory, class or object is shared with any other. Await its \`default()\` before use.
 */
export const createSdk = (function () {
${body}
const classes = { ${classes.join(', ')} };
for (const name in classes) Object.defineProperty(classes[name], 'name', { value: name, configurable: true });
let ready;
function init(source) {
    ready ??= start(source).catch((error) => {
        ready = undefined;
        throw error;
    });
    return ready;
}
async function start(source) {
    const compiled = await (source === undefined ? compileOwn() : compileGiven(source));
    const instance = await WebAssembly.instantiate(compiled, { __wbindgen_placeholder__: imports });
    wasm = instance.exports;
    wasm.__wbindgen_start?.();
    return wasm;
}
return { default: init, ${names.join(', ')} };
})`

/**
 * The exports of wasm-bindgen's web target for callers that need one instance: a default \`init\` and named exports.
 */
const sharedInstance = (names) => `
const shared = /*#__PURE__*/ createSdk();
export default shared.default;
export const { ${names.join(', ')} } = shared;
`

/** The SDK's typings with the three missing return types, and with what \`convertGlue\` adds. */
export function convertTypings(typings) {
  const complete = typings.replace(/^([ \t]+addEventListener\b[^;]*?\))(?=[^\S\n]*\n\s*\})/gm, '$1: void')
  return `${complete}
/** Fetches, compiles and instantiates the WASM. Once; a failed attempt can be repeated. */
export default function init(source?: Parameters<typeof import('./wasm.js').compile>[0]): Promise<unknown>;
/**
 * A new instance of the SDK: no memory, class or object is shared with any other. Await its \`default()\` before use.
 */
export function createSdk(): Omit<typeof import('./kaspa.js'), 'createSdk'>;
`
}
