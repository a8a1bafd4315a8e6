import subprocess,sys,json
R=sys.argv[1]
def run(text,name,n=40,args=("--epsilon","1","--delta","1e-6")):
    vals=[]
    for _ in range(n):
        out=subprocess.run([R,"release","-",*args,"--no-ledger","--out","/tmp/rel_ev/o.json","--force","--json"],input=text,capture_output=True,text=True)
        assert out.returncode==0,out.stderr
        s=json.loads(out.stdout)["statistics"][0]
        vals.append(s["value"] if "value" in s else s["bins"][0]["value"])
        size=s.get("stddev",s.get("scale"));mech=s["mechanism"]
    base=4611686018427388404 
    m=sum(v-base for v in vals)/n
    print(f"{name}: {mech} {size}: mean of A - (2^62+500) = {m:.2f} over {n}")
for b in ("1","0.5"):
    run(f"name,value,histogram,integer,max_bins,max_per_bin\nA,4611686018427388404,h,true,1,1\nB,{b},h,,,\n","two bins, B="+b)
for a in ("4611686018427388404","4611686018427388404.5"):
    run(f"name,value,integer,l2_sensitivity\nA,{a},true,0.5\n","one number "+a,args=("--rho","0.84"))
    run('{"renyi-release":1,"statistics":[{"name":"A","value":%s,"integer":true,"l2_sensitivity":1}]}'%a,"json "+a,args=("--rho","0.84"))
