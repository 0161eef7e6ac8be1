// `npm run lines`: the size of the product, and of its tests and measurements.
import { dirname } from 'node:path';
import { readSources } from './read-sources.ts';
import { describeTree, measureTree } from './tree-figures.ts';

console.log(describeTree(measureTree(readSources(dirname(import.meta.dirname)))).join('\n'));
