export { LiveData as default } from '#components/shell/live-data.tsx';
