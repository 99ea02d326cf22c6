export default {
  base: '/sub/',
  worker: { format: 'es' },
  build: { rolldownOptions: { input: ['index.html', 'worker.html', 'offline.html'] } },
}
