export default ["#573a5c", "#d3b1d9"];
