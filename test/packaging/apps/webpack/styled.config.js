/** Webpack's own CSS; its loaders for CSS leave values as they are, too. */
export default {
  mode: 'production',
  entry: './styled/main.js',
  experiments: { css: true },
  output: { filename: 'main.js', cssFilename: 'main.css', path: `${import.meta.dirname}/styled/dist` },
}
