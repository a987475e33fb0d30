export default ["#a5321d", "#f0967f"];
