"""How often letters stand beside letters in the languages of the code pages of one byte a letter.

Made by `tests/benchmarks/make_letter_pairs.py` from the letter pair frequencies of Lingua 1.4 (Peter
M. Stahl, Apache-2.0), counted in a million sentences of news a language; for Thai, from the word
frequencies of the Thai National Corpus in PyThaiNLP (CC0); for Maltese, from a list of common words.
Only pairs within the alphabet of the language were kept, with a letter beyond ASCII among them.

*On disk*: a script is its letters (a space stands for anything that is no letter), its languages
with the share of their letters that are not ASCII, and bytes in base 85, compressed by zlib:
``uint8[n_languages, n_letters, n_letters]``, 0 for a pair that was not seen, else one more than four
times the negative natural logarithm of its share of all pairs.
"""

from __future__ import annotations

from typing import NamedTuple


class Script(NamedTuple):
    """The letter pairs of the languages of one script."""

    letters: str
    languages: dict[str, float]
    pairs: str


SCRIPTS = {
    "latin": Script(
        " abcdefghijklmnopqrstuvwxyzßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿāăąćĉċčďđēėęěĝğġģĥħĩīįıĵķĺļľłńņňőœŕřśŝşšţťũūŭůűųŵŷźżžơưșț̣̀́̃̉",
        {
            "af": 0.00372,
            "ca": 0.02445,
            "cs": 0.12913,
            "cy": 0.00343,
            "da": 0.02972,
            "de": 0.01583,
            "en": 7e-05,
            "eo": 0.01649,
            "es": 0.02371,
            "et": 0.03494,
            "fi": 0.0477,
            "fr": 0.03613,
            "ga": 0.07002,
            "hr": 0.03072,
            "hu": 0.11004,
            "is": 0.13243,
            "it": 0.00746,
            "lt": 0.0664,
            "lv": 0.10807,
            "mt": 0.06,
            "nb": 0.02683,
            "nl": 0.00121,
            "pl": 0.05958,
            "pt": 0.0354,
            "ro": 0.03242,
            "sk": 0.09322,
            "sl": 0.02922,
            "sq": 0.08237,
            "sv": 0.0525,
            "tr": 0.10385,
            "vi": 0.35,
        },
        "c-rlq>3ZX;vWEF}p1pT>$Ajhx&9m?S`VOGMk|oEoBca6k-nBX&;uujBMS-e-kWVn%M=MI&XLc?gY9fn_{iD)K>nj%dg9}KB{0m@Qq!bu54~6Fp-Yg{6ILrRBpGxzhlv=Rl8n<QC1AUTH-?o%GRJwPPnm2qTNz&=x;O`Eab=B^sW91SG><ncwEIF2^Tvd3gr&lAPU=rB9"
        "&<)~BDEQRY(XnsGD@k0ck50ud#E@669mnLC(3<Gfq(y7T%9?oWA>7(zwN32*uX{%erPR3Vy`I_itwhc+QIEWiOky``AFktZAgADNJn)Y*-q%}m*{k4yfOST`lDA?(DzoG=4T|2m@gW}oo**ho)s3)rRkWj@gxSKMs=5@3m=9*OvRH?v870;DL*51j|Cbw(uq@dGu#Ad~"
        "c{_)q+@z%28WTz)FN<=Mgoo(JW=2Qq5hsEY%0S-a+cBD<KKFIr!NMHEe=D@cSX#^tiAj+VzMNEEZrsYNC(^9ouF=cuvYq^0xU<eprSS{A_L9|+OVedyc8Ki-QYUD?#}T;mTn^zcnt%cT000000000000000000000N<B32jpV&ybuxnLYpuRO;Y(84~Q{|O-S7Y-{c!7"
        "FLrr8ArDCwAroN}I1$PbHE}HdgFmyIYY8?kxJx!NXjgFPNGZ4t_@S+M*>yx+8c-#rjf1SKz8?&)XfryAno0K}_S-htHovTsYngYNoL5phaGSsuSaH{h!awb=YAK>_?3ehFj6|_HT);B3e_NAGO&;|u@?s4~iskCY0_(tj=t7;%R;#yFvet4brrTLA(;Atyt!SGyZ-amn"
        "X>HtEiO>nVcBS!X^w<Gw({DdC54xsw%5{=6EOrLjb~^F;s+8{3rL=2W*SB;}N{!oHDXOzA47W*S#pHI|VR&|@PW79Ijdm6z$~xsz<qQ?^jR}+1#$BdHQB1Gp=kh_Q5fazsLbNQ6c#&$F5tXuA003`>c^WzGqiN`jleOMRd?qDxBB{qcN8dXUT9~?%hTHe!BdPQH(u{$5"
        ">at4ve-gidD!dVAC(<p~qm4JI(<lv8jVW*XwlxmpB=XzIQ518pu68Ua!ZrrP^FtDe8Lwm5#EvyLVD8A~sn35%>BsH-K97~08B1&Hg*yN?_CSb{cB$QlXR$d7HN*E$O|_bNU?LV}^ULf6J%)Aw000000000000000000000Qfa@p#nU<dKloP4`O2!afAI%ke?wwJcxf+"
        "zji^xxN`GeAOnx2<k6P)Fs5>0PDvMO#A|yK<aIqjtto!~3urHl_VV)QM9l*ezL<~tT(p$lKDvYFgSzw*oxQBG{ZurR(85r_@PQ;ms|Dn~n48RwL43!;1LnHe4<3ZusPW5zUeBG>6iu}F<*3Q$PHeDl8}v$l3c#l_2yQ>WFiXrC{FOgx-3P5!v`S*l_QKB@)>OG;K%)9V"
        "tJ=d>TbRV7O$yDs@6>Mf;I61I!>WeQ6>RjzF28Ms`|6gAYD~$Urux)?IQ{c%qFm)?#y{?_^|>0K2crHMw^1+ZCg%P0$O^eP*ZcKeZ<L?3Z<7_DO=Y;SJH`F;zLa__YHPkbo%+^weuf9442(oRsNZE^H~dFN(ig_fdTMlZ27T2Sw0bq@MRz+$H5$yG%k0nx{a70}tu<`Q"
        "+3r-eU*Nvb#=(Nm*x4sFj>IKCuhq(+(`sY+spB?Q=e64J+sIj774X1InQi0dn44_cPZo|&MX$zjHzMT^J&>xkS}_`zwBs2ySm!Dn;+m?ivKBE7O~`nm3rz0~VRbtSJ9D-W0I(tlQdK@PXsqY@iS951=SH6JFTOa3o}Z)PP_iBPOQ_PUR8ZYgEM}{1Qx`V&g{kah@ueA$"
        "3)pHPm2zNT5@Ck&cAk<#IN*m;@N<`&$E3(2HZn&p71NG|=S|Y5CfL7uXM{8HRVsv%FxMyIu8-%IE?K+?_o?ve+qS?7#{j$&u34mFLC_$!n`=Hl$K3AbL&L3Z%&(O*nPT~44`+P)yF|l)FK}WrI7cY3Y3Yu^d~4Uz#Zb2JzD4rc3Vk!YVzvkX004k*0=@dxDQQ+qqB2}E"
        "+kX!1N4evq%`KWBB$dQ<nex{4%VcKKb}vqNVH92jQSXMsBiou-1j{MhfRZXRg6P__N!z<$js*|I8sX*J)R@Lo<tuVBt}*!0s3b^uGnd3qT)SY}7cpDrk;UuPpWb|*EE{2B4&J&uQ9rYJ0JlzPR#}vgiWdHjBfu@ZwYbZ)<RcdV&K>|j4zd4NSe(jc)+h4$vORkz;YR6|"
        "W3_a;{Ih9i{X!B}+`FzsiCb@Bo`ubQiNd!?l~QiG**kGx{<Cw3#eY<VO?E*_6K?C7)T@+_6{7AhOiULC2vn@5yp1z{3SeMzM=j$Kcxn97tn;+^D1oB;dLD08@oUI}FSOip&B%O5sBc19d3hr#vl(JvIkaT?*4ufcHA_LhTBO7g;UXsUx$|PF(|zN@FV{m|`0I%mCPnJ8"
        "T4uS+WKg9q^<%pDK)WK=nrw%wDtYGX-S~-2;J6Z^u6VVpikBA#ym>c21EI?Rp+(VnYgJM;p;FtPL|9N$sA6neNkzFCizBCTH(%KtK3LqwfoBLyQMf#2fj<qSV^iiU{rL$g(NKuGu#<@ODW1fid5tM}rIlZ>b_G8urW+V437hc8o~T+%*;FGFXSZZgqjay-*!liZWGS^p"
        "!$hWKR-S9}d6hvZGnvIJCiCM7TSJ8bN%+|~aUlAUCB}#9l@+k%>mRwJ2}KGWHzt9~D^IxxQbp-2`3~mdQKG9?&eKaHnKR9(U3Bt?y--H^QDeE7mT~W+8aNU!onH3+Pf^NSu@<j;PcQyeYa7$5U(m?g;W8mVmS7|Zel|_)OG!%dNRfnTo)EjrXlk?K{V*}(aP#Ai|KwF_"
        "kTm22t?3_`T~n#2lQ#}X=3OO?i;A1agm6O<2CSu1nRW_n>{hX+&54+XG9Qu+LzNdaCTrunT?P$&-%i}ZWAj1R_3hMl?Si|t@wST{Y<y4rR(VgV!Je3rl$*?9&Spa~D=+3NDk-aG!9zT)&7J3bAWk;uR9_wYmb-qQC|hV#Qg}@2NmP(@dxPm^T%`-)*H{Xlb{9b?qm5IA"
        "SxY}}Eo07yhpgbYL2&PQZTN7X^-3&uXOZJic~udme2pdLj*rdCce6y;%#9m4BpI6%hGLHYCq1zek1>7gHqNUoXC4S)?p+q-VG%PU>TyBX?^@%LmC6%&?qwKf%{Y`W3oZPCDwTh<Vin7)aYB+fNlBISgJQW_5jRD&82|tP00000000000002ihWeyPtRUmJ65Yy(KgglE"
        "si|&UutJJHS+5YsJ(##<4FCXOAtz(J_X{bNH?Ofii9}K56<+UAW7oOOMl<9T98KcOC3z@{cAFw~l2q{RhPM|<%B35(yD~`X$CpV=xhJRK;P!;G(v;Mlv>Q=h&T<MiPB$H>mQ?Ury9qq5G&u#U>TN%k)W*A6?!S`??p9+-sJB{ONYd($^R3C0RIsYt?noucR+p1~dn9d{"
        "?jCN7qU5)6Apiit`5)1lTa~zM<fB@uGcV`EaAa6TN?c#}ZME=;dbCcZPyU_N*g%V{51$BKx)bb6k8fL9`w$BN0Dx{<P<69|imx&ha#kFy>P$|qrzW{#DyCW&<e%o0IyQ*_00000000000000000000006-IQt`kDk@zyog%R%@wk%lRvCi#5L8A?xt-jh)E<if=q{iXq"
        "%^<`%4GtC2quZa-Ba#$Hd-01i!2WJtusLaC+H2UR9Qlt?q|<rxHa0pb$D`1$K#o=m4XY<wz5TxYqS~YEms78En;MSeM5~1il+6oPCk8~7P;lKAlTK`zvAOM-A}NYcpBPB5|M7-gTCENzEpU({>U1(lSaNEdPKFI-bFCJ7RmyJTYHq}rbbQJ*1J;sYtA8caezQ_{(n71g"
        "oYF9NNopq^v&2bgL|MN1?i<-&qAW)CLL8-CL%}v7A--aSns&5Esu+hn$dAfV;UbS6NatOVbgYzD)t9<xCMjiAv7tB0kc|QW0HB@U2d10r8k>$%-9NF{XT>0Xz<iTC>m2X}!D2_}<7nl!eqvJy!#xq7{86-KenBA}00000000000000000000006%e(>@U|AT&0-B*~M|"
        "^-MhuZAx-N!v#TwO+3fw#(TJ=TvmVxqt;m&0kM3Ys3gzB<~R8`Gv^aVWi1SWbo1uVELKb+3i8?iyv%T0SvyVgV9c{3EPk<x<uuowY+JDHh!PT3aPB0H48lBN1-}|Gu~gJrBh;8TC~H=Qc+VFZydvsGcl|@qrI&@Gnd6t+cv%zW0VPSuTQ+QzGa)qR8rQ1(W`u?tx(V?q"
        "&jS&uRe3_Wtdnh{V)ERxcqd9MH%WLaCn`~ya^=tI^eC-%S?70ywxV&bBd%!p&HHg25Z`At*Tj|PLb-BRJTBMO`~_JX2BAqFQ!VMv95nKTU&+=rHYsaTW-XK?51SkUlf=xD1mlB=*T+z~R#^#8Y_o+C2@^leS;5KjDu++Yot5eFPsVIqaK+zve00jcVlx(AFZFVt{avhy"
        "&LzG@jEir3{8MgQIqOcbdGbXT8}mZ+#AD;5=Q%Hmdg&lxdI6Jgc;Xi!z9CFPpBv0L-?GM`rR6@?u5;)UOBhWral<%&YCL}B5*??JmCpXTZ8YxFrsEY`V>1)a>~!LEqf^tno~y<yCbMxp27k@_RPt&yo-6ug#rzU&h;^JN*DIl-(i@Aq+mquumV2U&ojh4bm~?b;xfE&Y"
        "qiYCrY0aqTp&Nur%!WSC^v`UjVme7;^2S`t49&m&m$`0ypiP7iDH=0(Cw6uNK_uhvwYMv2GQr3LW+s9p%tIQx+%|^3d!2;FH{D{jR6D<^GZ%Lligu;BBn``NY?CZ&rMCk>D9W@~7{wRPL|OZCt>#7W<&A{Rz4P`eHsz0Ls@9oxT-6N>&GejDRgKVPj-|J4;k0d5QA8XH"
        "*{)%VAHrPaxNA&bEa`|hwpZ-1^O&!_RMH@!hBOe`oYOGW?U+r9sTc>t&H8RXBwc6XV!a`ek_gP&xG$(Nlzb^o!W_k&2qDR(_*nGJin4nzMC^~0hyDDYY-Y(~zL>&FU|pER%&SZIEJgUW8!NZU3Sv6!hJ5KP;8}cu6N>tW>&!;(kH>?r3&eCGl(M-BC9U5>I#(~$Lm4*2"
        "$-|JDO1`QTxNMTfriGqZcS!sdXMc13IKPe&+)C$SnkIePl1nqy#PW?e?xscUPE_%I2W<<hEzGC9IZQxk5OR-)84XLgx0W9?u224nPJR8_ysL%IpZV6{$F5~1li?Wv0000000000?@vziJkIkx3`GQH9OnFPYTmA(Vu1ksM7)4BcLDf1BGYaWI~C_srA{C#008)PB;B2H"
        "|3TCkydVI;yYQ!b@{e>O1m@@i?Lkn{+6DJ1X8eqxCQ|BS^no@&>%Xg;`tAwe$GbU=DVzVm$~@dRe5<jguh6}-r`nj3)epz)1JV`JMM{jrvD&B$O}g5bd-b<$p)ULw)S&^HJF>~%sK&*ONGEJ{)@yGHFQ0d()uF>~Q_s}h{rtLK=HWqKTbWFKI7nP(jHI_wjm_aG6p!_7"
        "_<>Y<e|x(Lh&gQRxulh?4$*xW@1AWmR?tTVB-qG+`8U4R{kD+Jg@AV_g$Muu000000002+n=wu$@%X*gk1DHTqNgM;3JXUK0{|8f9^=YCC3X2H3xlLMgd|QvGh6!S1tj<b;CGIiP<BGf+T*u~$`WD$KbhFgN#ew18Id@R>yL<}abn?a5dZ*yJxNcsIEE!Zm%bPHrboh3"
        "aeN2{fam#Rc#)}lR$^to6$CydXH%uTJ1yFfwf71uh!Ow*008UIIU(KA4`rKSqRYAf?g{afszaN0u=!r%bnw{J((5l|Q@UIOe#}yn0I13-xZ9TB>WggZoo!ukHt=0tQFzn3v8);gz1Zof?KdMFD3>+pVA|HLOb0c#25Obd5;f0wO+?{;B&|~nYM%D`E#byqIk^Z)$vozu"
        "A1kd|N$F09!60D{49MoT+8!vGF(}v~k|@aa{-YG!!6O~W;B8Ns?3Ihx@YtIY3B#g285XtPgl@`tP-A`I2zXl;+#T7ew*A=K{G7#slh=vdkW<&Gt(Ho5V??A~%FyQ;wt6W`xo+nc*k$k)j>NXo)Um5LC#HQOUSu51*kk=B`bJs~0Qd|wjZK?)Y@{uSNfp+AHN{Et{Wcx|"
        ">-%&6eBJb2;kqY|ZutpSG-ju(^*0d%J5ion7bj|m=iyRA=X2Hl1nvzQ{x3;=mqZSCFEs5>=@Q!wm<K;Q_eS0Z_z}3C5#<Tj*P0l%Qbr`Po4M%a^GV##CK%2V?yLzT!UO;S0000000000000000002MuR^_j<1C{2K9+yODC~au#$S_o1S)RjKM_kmDl2*I&p36!f4=di"
        "Fq2@2OoTYSnrfB4{>iAEXw2taK2@2!MDv%jLnK?B$x*J!DV$Way0dw~la5D4ji1O)eK9iWI1$0K2INJQ+c!?4c~9~SRz+pE55GQ7-VlM4hWvuHNKV1!ybTSOe?zg7Rx6?lOWVRgK9j0hRE}0pY~#tB^@vtyVkyq&C$-vNNvlKh<goZ+3jV~M{1?w&4*&qj!)N1<aU$yJ"
        "c+pSZ$#uwwrj^$-x{nYM0002+z9hsYmQGydpB1R~DN%@Goz9<3wAR|U$?^lD+qIX_(6NJ{pv1C`%O}fN#SwESunf-$iIx%TOhWaj8BE7@ReiihdWPfx0000000000008)v<UEu%6#sbSrilM6>l}gs002Np#m5640{vXdMFGhH0KPBAogn(<ym-ReZUG;^@6a24FB$B1"
        "lEzdgCGDVHOiGrt{r)t>MN$T^GBqi33Z90tOFFphu%Lr&!pB|(Pisu~YGX%E!MhC-yVZC%)V-AJV=n{pzsWn#CR_isiRDz(83B@fF64XxaEJfUy7p{xIUn`Y>HOET$mw*<mEI)(CDI&v9MlB>008_Nbe|AEtS+wZ7?!1EHnGln=JlTZbpCHcXaE2J0000000000006e3"
        "f(QTr0002M+w-@{5ODl|Jn<%c+7tdlVuLvF&tw1jgqR{EL{b7}lSURA`~rr_ZOfunzYx>f<TzN`wVuz!y@X$_xASqmh^F3w6nS?!DA}zfHlz`8sQa_;Z%A`yr>98YZl@{O(XJZpKJnLIj?_M@lIz=dogK~$-KSuyEzvlyXcV5YT=x0)5YuHt#pR2o8~!nQ$#i@<B`b@#"
        "%)`E=&Fv!<MNJb&p*Q2z`yy&emA}_4Yv<}9Y)^2ScMul&FJH0M)<5s2#<GSA)vL%J`&IbbYc})i?!s<+b9g(ITkMr&ec5e1-e!LE+bBrxmaS3F;+$OS_fOadvM_Eu+JTAO)I^6Qa)Wl#;OgulIxDt}w39!Yaa0f5*$b@jtg5zR9zG5>-(n{3-1lrN53hG26D<|xDKcjK"
        ")#wVUb*7i#(G(}F-0{44Qx7sL^RO)W#IDL}=FVn$9FXdQ_5iE;>JE*Bku)Hdx5E5&H4X;rVCkh4gQN7c*Jd1snFas=0000000013pJ6BxZl?kO000000KgBROTOV*1IFMTP3A>3$CpV;km#nXJX)cN*bL+p-v#~f)UqbH%^bbI8QmdtTK`-hy}udLBsxja^!nfeny8ef"
        "rQ@v&w%SLoQcb)nl~eF((4S9(9=v%QPcuV<(FK9kZMD|7t~FA+&AXG{+bpd&p_`%%y47i5QY={_&&hawbMwe=b1+H;gYoKpkK<DYT74SGK$oS}=U$&(IRzgETCEOhyt&Vn&eUEC^`JX714c*y0QdNJF>QxXkNjg31ozB(jizgl{4eAs0r0Ij97rWHfIhm(V0n3%uuwp5"
        "KZ(D&=XfL*Ya52Cvz9gto8+H6LvVn=x8_7LrqzML=SLpZncAwR{h4zQ!1vecI&pOFHJ{iNIMawjbb~@H000000000000000000000000OaU$gS=pf0%@WpYZf;IlV>cfk>^Wtm#kUf}XUS=|UvDO|*2cE8?eEym9jZ(Y;KSI6MO3^y<X7-*iAS)&iKRn+n7`|95@-MvU"
        "Epu!Yr1dcEdvqvdxt^{(JSC^xs3$p(iXMd~ua&W_@$p7~VstvMRIs(64jy?YBHqUC!{%6D)O%9xQtFv2?SnLEWg}731)2{400000000000Kmqa_^K}7{p3WFikQt(s|LAjfN>&)xHWVzk7jkY#61Kpc;gxuT#@(!D_?_++ig}=XaWEL000000DxUk6_SWJ?{ltbiQ>9!"
        "V*X(*jXE=K!Y%;-0K666$+$R2Qjw!W;!q96c_ivn$C8zhA^_k!`M&KVzc1B9q&wpDA!AW|y8F6)>o(x$7PLtqyNLg@t<9u4xc27yEs^dMFLL9@HGb;g!0zjv{%a~ZxpTt<;+(F=Hoy8M#~h6H;HgB8E|V$g+dFF0(l$Or!=GGxEM%T7$|V}N@l!**HW0PjwYJZbww7eb"
        "MXwj!wXxl|F%=r;-#_W%t{&&l6l@GcUJTxewmwx;8PquLo(X9`pNv?&BI@qOwrJ@yzX;<AEAWD-&y#{R@g#bbPByyihWgcl-A=iL2OK{wT;~;0Yki*%M5hiO=VwleN?uVi>3M6$V3cyZ8mGK#EwNlF`FSXVwx$EE_7-&~Yu4^RRq(lY3S9BOvq(qn*9G5gDRJs`R1uDt"
        "yXeT)aX)^_*7<w2@p<5FdfkW<@$q=cC3!zy$0cG79=)#BJ^s^uT0??Y+qgeE-QZtoKHZO#U*C*&pxO?JmB6>Oqkg(jay*^`tFeyNz+cRu@&J5ab8H4SDNkM!D2j7tz4!E?2!GbXkoG3jq>M7*5z;htZ8mzDp(5JXfpEYNMe(i3PD3wp9a9bYmNk}X2`AFKdLY@&n!*L="
        "O};=$%#sO}W~4F<Ut{BeX6R!2i)4wl{pu`>Qc^KnZKjrRpncC33zz<z*0^rwQx@y8<~ieYu^@2749kN$00000000000N`!VVy|%hAWf-fn+eTR;+VEr@o}%Qh&&W?7?*f~+yDRoY>CUmfa97}BncuhD#bw}9zzHR0002^4v4eeoF;tlL)=+6M7*<3NbqmVf`>8D0U>|8"
        "=f&23Lco8t(TZN{uyF6hTJQL=Z-x+cn_1DPmNm!Vg)(C`6^Slrqt#}kOqTfHYa&xO&4CKrf;o{W-w_3eWaA`Jk!sTv*B0c8N*h}zr``m}eGFf0n)*E5)%h&U*5*N~!hp2lRn3FbWf0O$3%1%HyimQfUxp~yrkjhp$^31r=m?Et1|$zR*XpLAwqQ>LX);B(WG2<fJKRpx"
        "GH)VLqfXtj=Jk6{pG8b)lUv2L`Xrt;9*Mu{fZPoddT&hZu6wzgCVPi%jZ@O4mYL!;w;`Lx8|R-`&`liy5m&7@rc>>F5|jKAiXF@L3HXuovcxAz?s{%O9F-cZzo@nz`?pqv5JDaubPT|lNT?6BN$wkt<ubFZIr^O}WgMQeg6HV*2j3JEA|p2aPy7P#<M@a?l9f)Fl|*+e"
        "gKq<&JMMfYyFPRWBFOGZ{+wJAQ|dWKH?Sz5>RUQJxr3#MI}UUO**%HFyp1%c0nM0<+3?^J)zTwx)}=Kj&OUg8KuFEvL#?e*la0ihPwV;p_)LiFE0|77iZV@zN2n)6ZJI_J&F)-=gu*X+nH94WCAkz{5(Ydg)wXH3CVbg&nws((4SfF|TX<izS^d|W#Wk~S*|@i2&HAE;"
        "eeVGP0000000000000000002sH_-)2{>Saoo0`ZXX))fspk21|$%?M_O}!%-H5J8Wgv6rCft;Fl8Dx1%$Z1fp)HWsq<=UJs`6KAVU}URU(bZaV5UhEUT+!}askm=sLp1WgJ+nllm`v$0nB56sQA~&>6q+_aw=TGgLCvx*=PH&{<E|KfvR3n)j{5iZrc<^ScWqgwUEt}v"
        "N6~k?GK6eU3dB%+E~K<^C+d*(t5bbdx6QlLpU#jlmm|4cd-mp;-krfp@=m;xwlL@luB-8|SQ7AVlvUT>?{IF~e@ar-{0Omv*Q{WEWLYBj0)QXZkNIHJ`mq%shDel4nG+t1s;uH>q)YPrQr1acV)NoH_{fKHt?OFW7*ve>7&tXxMGmu`v;@W}WXOU98_fEplSB3Z00000"
        "000000000000000004Ld-};wt${SqYI!->s-{E-%BI97ilr5b+$Y0>674<PhD@Ffz`%0_V4W_4QGdwCz>pr}4_~XMvrh=8*xXaWy(^0ceq1}g9OtdhjMNHecXQlns%bUkfsa6&>|335DhSP&xcyOBARd%Ju-YrDeY}@$LdK}sh9flon1>+&U&h6i_XFq7KtI(n%+!CtS"
        "3@CT@L)KLNzpPw5?_0SRH$56LZ6z#Zu~Oor+A6JfH5>VC!FJa!bUjh??>m|I>`80A)9yDbMo<S!+G8@TtWYQywGoX3JH~A-c(`I4lRXUx9goM;er&b>%=_K^CFSB@Wdxt}<8t65twndJmtud?kHhu~PxE8Q%edr0bo5B8mGuhc-Bfcv(dw$LwF|F&B^UQD^mYoc0^Nw<"
        "rwcxqppgIo000000002+LAo1dRvtt-dmg##ruC0*`vj1<eEgV@oUaHTM8h_BVN0@XtJkji7HxT0L)bgPo7NEP+b3JqZPwB3gDRGI7cK!l+)#3~e0g0vo>{rp*R9$}sj!U>0AK}<MMeCI-^9sj<`&GrxrX!X4aiS}T1IY^2Z;j!004l^owR@iCi4tV#o2bLO$oI%*I2ga"
        "dqA4cIq@ehM%>Qq_=mB*>>k7<=d*I&0H(_tn-a~?MY{yczTjcl(CCPw6cU%upZ=N6dYRbAIfPWeDp-0#93xH0k+`w$*b#{x$8zRkS;?&Zug8PL)a>vNB;@BuI0FFQ0=x5P+Zzr1f!jMOe$%@|%Fv$CRf{jK-q%IgMvDwGBD9f(UZcqVrpaId(wVw+>22X(#u>|eTD`5D"
        "OLeBS>)oVL;!}8khVufn8yd^;mnNbmok@$_2<LUm89_?9WvWfCpqmYbw^K@Q{QED`uYeD3ALsH6NZ1z~_iayyYUbUYNWIEwX5KdQ#RXX{zpCXpk@?V~^p{|ewGXvbCr@VY3dh5~waNjC=b6&1X{YjsCOTeE)XB*5Yx6VrbOWu=$nB7qizfAFuVs}QD>qNN)asjwgHPTj"
        "#OK`EOYLeKkG+uNp`Ec;9Urw}Po4S%L-V}uEya%+^*Q&0L_9QR)~W?Nol4!<>hzj?I~k9IRYiSX*_i|1XZd7CeUyHP7>x@Bqy+!~00000007MKFZ8rC2_q7mPO4%OgPcz1wA*TI0mbB5)d#H!MvLSDBn~7HwhA1HWum<1>qE=#*39LDAS?1d8p#YxtYn`JO|zNg75yyw"
        "`P26;I*a3r1?6(qfM7o~@YZm(=eLELn@7z({3o;d19X>fjY3YgCT?PAHnl8f?Hpz@`MoS>*%wSBJ2GKydyDJBWbRGe_T%QxuLvHfmU+L$Oh5LQJ1cv^(_RYhcR6)gT`J}i)D<xorTh1{!Sk^MQepY}V3(Av8Y2jvrqU~tHQP(GhOHgu7+2M@HttQ5Icn<LkPF<s2jFcn"
        "&di?sY}`^Wi68rVN<uF-+$BSq(T#Y)*jm_PxQNEy5ZDjqt3-}yk-`b$kPX?Eu8A@J<-z-Agb8mQEdao~5W20caG95QDVZ&)QsOR3XK-)kPUEb|kr_dvH2~l{aXnG;gOL9{`t-joE<v9=*YXBsqv|UQF7CaMSs`WkO#gL#>wmwYlBaL0eeaEq8cVTUI+SY{x&KfOXkgSB"
        "psxY|0000000000d>2mbKjrk&pJQ1K0I-AMVg^e;%~&(ou(i?us}o&eV}uCf&=2gVuAd+m0000000000K+eQm(Rs`)`%lL*1^@tjkv{>sjCVylzxycS+-`<q$SZu84aMyAc9S|yPQk(Cok)(9&vbO2Tq!I1{c@f(urH^^`b5@}l8d71cJ~-LHO}41W{yWWHTLS;e(cI="
        "W6iwn$8v0Sb&79~XOv?=>XSjrvB{9+_UB|L{*<@dVZZr~eYN7>Y&a!Jt1m}~RPi3&Npo&@)!Ho)RL+Thg?8F!So~f)xJm(g^8xV8IM7*%QjGdpd67}-f69O;mTMImF_lPX4%I*NEW?qkn9WZ~&B`Ty$Z8yrLlpiZt5LMgU2b2LH?YUG*n2*yGIBwe0|5M-DcYWemyrK9"
        "n7Lo6j_t-iIV-wSY2>e}61{%=8vp<R00000000000000000000002?=x8&jbJc`h6qx_^~0J(K0f-{Bz8gc?RBc~V?81P3=O2L-h$4kmRPdGICg2OiJN=nK?PPFucG+R4XO>nZL^s-#(b*X9-L*yiB#CBg!+MZ!=OKD<P?<3oyR-vWTxKO;yf5`3O*)piYYS546)ws^D"
        "S!_w$#&WuoZ}b_Haa*R8f-iyDcPH9*VJVq>wrgBEwRYOr%|u4Q3F|~!Tgy`F{w#qrjH!>v+vD3>SYEZ-mN!TQ=Cx0^qLw4?NXv_BcZ%A_?a6A};@!s_4jfWyTwZgm4XJ5;;dNLn+k(CK?oah7$UGy`#^v(bYn`ih0|0(KG54ebVUY5gq|VHIf16RkB{i+<nw!AX^ZCf9"
        "&_FmC*KIL2Nz3`5p6S|=m!x5&T7P|->825T*=Wf9x5WTJ>N;ti<v8OLgo@2rax%_++Mv#V$|R>o7-w2d{`vpP@^W&m(yrZi-}d7dLCe^;O)&|(1Rmd{$TcjIRI+y80Ndk`Iw*Y4tyAI^iObwaBS~vMO}Pwb$Q{_c^b1o^l15&hCTwJkUEg7|Up@3mp2*u%2D~j9acP{^"
        "iN}|v1A}#0(+>E+Ut(V!00000000000000000000005w896O(PVb+uLwz}{)b@Xm<TI)LQp1Aa(k1wFXQ(rD=oS4zas7y{!>tgIz+il$(y|Qo1nO@RbII}HDCg=5a=WdR};M~_US#FNjxSK_28gp&%g*G17pwF?}e(!o~UezWdT>ZShvC{N9JIP)M*4FB=7AajM-N&SZ"
        "+jG63G+!=wT(#3($=3JU;8nEwUTxj$PWi%K@Q`F))$B+8uI2TFZGB$V+<T@qnQwuwDwlRw)OT1d74B{lkY?SeUsJBSlBm<W7a;MB<c%4R{C0e=jp@7*e|@wx<^?|ywYqkVPxJP`xaWav#a)A7MRT$(w4bM3#zK>6Y~_3H&E3d$#hnvH^7`oH&G%}3bJqs|00000yg)z<"
        "+Y*x>E8{+3M$SHaak#D+t>Az6Q!EDp2LJ%DfDaNYYO@?H)|Nd&_&zArvZY}6(JyXR=m(?IfenOJa|5X!te3@T5&(XZ0r51Y>F@@3Xqnk?P0{g}EVAFd{o_n61~(^gZvg-RfN#a&Kxv?5JnYdVk#+P*5&J501eDp$-|YEU6Q|)$WZ57P#<+$Gb<+(M%>lqm7$iTpab>w~"
        "8YF0X*TRkb5Q6{!0ALF|l1JU5Q5f^(AdzRYFdq2}tILW(sdE&br|XtF9}^uyNqxuH%x<oF_HD9awg3PC{16m9N`*Z<CY^b7f(wz7e!*?-KM|0w4{Wfxb+KNXJf}w8K$M8}ip}@NcddZ%0DNk7HTII4NVwN(7tQ?|&+6_7hfzT!9I}*&)@|mZ%_St_9`oi&2wu_%)hoI+"
        "tst2l_tz#&8=?AkmwD`6_|5fdYY)R{0|nxut7Wl$R}%d-=DK_)aldvL3dP#|2tc(BSGe}uT*!EH<tq2`8BI!scy+hyRIZ;93CF`(?P;2Z)7fX&=fdCo2tXq~3gx0fSFkPTV9QkKup?Ho8%@sTw6U9qLa=V!-IX_^fb4pJ$HqPR<Y~fw8G7e+=rod{)p~Ujz1WO9<ub%T"
        "xp@-(*=Z)LirE#c`&34aJyAD<I4+ShIP@M!+L#Ky)k4#Eqc@K*%iGqx9=TkT_dd}hYXj+{yzfHEkFT*hZC5#o=^w;)JmImkVJI(&ADv7q;J1M)iPg6xX5rr)D*RvaD^6DaU1Z0Z-W9a3ipfcf7v}m&I!t`Ceq1J|K@yKUbMzc$lxUXY$J>tuMlqP8SRz|p=T2-2EnMAa"
        "r@pF-ISO;DJkv2_SJ%Zj;a>+w0Dcq(iCtP}E_Y;|IAA`!rc*YB*nI9Ckn5sO>R8N%<#L7qv8&V(E&t9WM5m@082L$yHZ#nj9Sb{My>qp*W?kcQ_X9W?7ytkO000000000000000006-6Vwm>xck<gskt&DVAew_E=i0TKqnU`d<b2Cv816JqU}1<beeinza<5FcoLm&C"
        "Gl|#Emt5~KIbj+XA}Mv^#pq}CHdjd1pKP8?W{v5mooB=N^I<J7ul3{IFm5+^GQPgy(~l0bzQZsVG@a=wi_HCv<*A)TopAmlrgrTK1F*y(gd^McQjL8Pbw7OLET^@cTTwepL_HijgV$<2ZKH2}Oy1`;Ues9h_JlyX<Xk-O)A4)ZQQ6*u*K?SkHqC}1yT#&$_~b)3qo-v)"
        "*~Z~s9>_Q19TO;q_Pl&`kO1FcKG<zM;W^w0TA8tCmKD9-A%@~~4gdgnl72?y^4+lb>RnLLH4AWWr_pW#sRIB20Kc98)sf{?mw-40u??Fz<ZP&7W6+gu0eZLhOgsZp2LJ#7000000Kl)oHi;{iM?MItv)HZ($(4m?+5gOY?w&?U5fA)N#4$HfH2q4`=Rq|(6b1kQ033l;"
        "9082S;Fr-wub0=pBlKJw1U;YUvJb4mA1lLr1LgUP7$$8F(_-|wBh0uV@cN5Tp6-E8TeG<To+iI67-UV%MxF6kv1-m1WY3Fym{#%RL66TT9vXv!o7{xbZkw<#JD4-2=HTjr7p`IWH;s@R`3;jq^tn6hJTJ)ZuYO?q7p7JugV7)z==sBz`sz00{>=qQ%T=-l#YKZ_NCs^@"
        "b97oM&h)9;RGR1u1$(5+0(K^STE8diZnU<C`4sl^%H<AJOuh4&5k-IXm#1s24QkaGijcOtsea;y)Z)#el}z<QcTxueYB~a~+S)r0{hwrDJ|}NJuCdpNvk`S-wVf)Ov)i{G+4OYRg&7!K(%QKnSKP7{eV<5YKRW5tB}+8o{)luBC4Dd~+C$}980TZREtK^ao;j_k<4?w$"
        "Y;YE)gp)tl<U9~iqv3YgDyl&qRVePwUU;X$??VT@ujx)j+G>0FiOFmVEhpw+`RFn1$L&$mb!$M3Pc*POqA-5V=~!%8-RObOVGsL|wz$St*T#*gbH8n=z8?qSok1dM1*^~btzaRSB}Opnt(g0?$y5gefjMw}!oe_8&)L;%pv@5)wj238RVQ`s5!X-+omoRw*L;;Mjzo3K"
        "JC-Z$tz<f$RQ*=`tF`SqNk*UX-Q86_0^YM9lgKAQ#(Hj=Ta;;-RR==d*2<Z$pY>b8>TMk99=X&Jp@yfM%$RzHDSVxUW_8xiWP?dnF#L!IiG%GaNl-<t_ZNf~*XlZzGnfT_;{}FkGY)%hF0}qDzTsWVXrZZpm96$on@vdgb|5r%`2Ih3Guv5cR%g|v8Z9e4KX-c9Da<(*"
        "GN`>s3)tMwaRV_VE|g07*sHz_<qiON9~?DnR{d0BIhmrdDOBQh-F&$CK3rR0bZ6o6`Lukr2VBuCxt81QaTcMe0RR91(6}9Q4$Ie>bz{E4HfXlycWX2j@f?1unpWlm*C<#bqHJc84t8ndcJZX<t#xU_5ia!m=-`{Pj)c2a8Qg06y%Tdj;bznEOeLn1yS78BL>2Kn_0`-4"
        "Hxu*A-N9|3o}F^hZ??z(!Q?9o1+PUxvdSq*RAl*@C7?S20Nw`8rWcDxcdEq8Gt*-R)GwVIU!2=~ci9x^O1H%8L&yMtZ$-`XmLE*DK1ROfif-zo4~!0DTJa2<hk1G4oB{vIgiqCY#gM6wM;{m^;GW+=)VnR*?GqJmE@<OXM_+O4frl>Dd9OL^R{JYF?3u~kPW?5!r><<p"
        "4Xz#@x;P4P3)U<6-&4wUTCd=T<IUT}j+u|{80mLMjIZ(Bn%Ih#z1&OG+Ee{)MNvNtTy{1xAV3-qTaDfwssI20000000001FVeuu3fQ%RWuu`!FhmVk4_$vE9P1ECpT@tgX)b!n}U6bxsR8!Rwng9R*000000ALriQ<aLK&XaS{lCy5Ind;enBAD<D83F*n+hU!xOMM`e"
        "98Eh&6jwxmTUaRv0Q_+HP9Vx21qXZ9TG^}M-8MBp?^WB&UNyG&>{8O<yZfB>D40){ciSW9ut%Yny+qCT-B9-u^>L3v`8I=p_9%Ea@16(aeC$>DE?OP#S>xkg1^;)i?zF3?`McOf-1(k0HVFU#+`>1G_B?Uwy&w5}Ka--E*{cUz$NgabuZ)RPg}!-lsihu>761Kr68kV<"
        "TmS$70000000000000000000000000uqPjr3<*h@gymjg-P$B$QDz+f9)}}o{0Od5WU8d-#dLDoSs|xjgC~_`!*~8lDtOX+G&u#Uyp2bhsgm;Qym}`UpV}!&TCI7vimb~i_{4Q7*`Z)fxouWS1)q71M@dJL4oda1+jk@#4NE_6%i1;lNrqORZ<R}vSa7mK!HT|9ciOLw"
        "C&oIHQ}AvFI`6kj#IE+DCII{(Vp5n!?VRd@=tu2?xa6;TW&?q{wL<@mBBFbV!o~qhiH~JS4s6!qNuMf#4V}5mr61^P(YASUfmi?l0C1c%jP*1yv&_&;!?>8_kFI~ZdI!${000000000000000000000002sWkkBbP0FM=h;SOOQMQk_>4sm(ue`}m5W(%!V32#EBd?u>"
        "H5Y6ms&qeVa^oBw_wH}jN#x9LMcmc+eoW3f$BYS4FG~fvcPXzWl3a%RI+ViwEDd{gQID#ozR>#5AacrrLG2&wuD9UY7oyy2gGFt;a)New_c!Y#a{2?Y)&uP+^~Lg`UoN;9R`!0u>l~gp>^1e!kZ6l*9KUWroN=?p&(-(~#}zHRW_@AzdV=(+i}~TF_K7w&$66hH-o}Ty"
        ";rq3M%ki+tucI<H?oQ>5dN`jO!WEDGbiSn3uZ_pmi~+e0TZ=m1yJrorMSjn{U2dz3*W38=lxL-*xxO1Q8|*XIN7IVrVa)efiAyp3r%!4H(!#*RQ_*~qu~|T^kj!+sMJjSP_)J;6&qpi`G6lbuq4QK%kOu%ik%Xi<WsW<W8BsG-*z8wzJU#(3^y^2KV1H>L14yE-Bs$0{"
        "32ZkHNL&}1rk@BUXUpP#m99RXpe<Q9Fwmd?0002E#kZ<5;7ibF<}CR9=7&)>D>wNo{)V&-y#WAM{$8kKlOSh3_<U0SWez#(PL;ALMn97X7fwmguK@r6fEQ6!pHy0rWE#;m{Sp(Bg{tij7mI`OUx*t<_S54s00000006(1E_LU+c0F{cTZjAOnQye|j@3CFb>+OQ#_nv5"
        "+hzKvq8Wl<(Z{A~9mZ7DPvr%;_ET+qjhh)}<h&9dUphOsvG3TP_f5N#e^>ao&zBM{3rOighp#yZ%2f5rX9_mXi$2z^kzbRThQVF0gmJo*ABpN(-#r@I*{eWjR^7rEB<{RwK!&L<uVnl>%eq1~sqs+gubd|uSSvI{_~PH0N?`x!B%v)%+p;GuJ5;Dw486NdF*<8_nH`~n"
        "R|>XX?8n9zYfP7El{qmRU)4q~JIk<CV_6$pvzE(yVRSOx@7+`K$zYhx{PwB7_nbzqYiE4h^Ko`0*aS^+9HhPhupT2X!c$-O)So~-+ZuwN006J!3}<6uV^6lu1~wGefaL-JfETgkq|Q1<;#-h5ct2vb5G$jJSiCF6a&1Dpb<uA1_PVmC-J9?&og`w%G5`Po0000000000"
        "z)zyTf6P}z6FK)JR3*?=)0w%9V7o&3Au6V>+rMxT_t=S=2R509W@VhOhHu^6N4Gt@hDQrnN1K;-=69pEz9Xf$L#<YmUb(j34Ee;x%43(gnptXd87}$Kfl!M$d(Fv>qK%!C%ga}62?hT@D*4Zh",
    ),
    "cyrillic": Script(
        " абвгдежзийклмнопрстуфхцчшщъыьэюяёђѓєѕіїјљњћќўџґ",
        {"ru": 0.99999, "uk": 0.99995, "be": 0.9998, "bg": 0.99996, "mk": 0.99999, "sr": 0.99995},
        "c-rlni<aXyjzIAPvzsbO6yI-=dj0?R4M53uS$0)+bCTUmPBUq@+omZH1c3{Xz{k&VkY?=XK@MI2F?_O78Ot4D6VbwR``q<tr82@<&iGIb=PXB~jSKi~HS*Fw=%vE0b}&%&8U*MF8YY0%Mg=gXOaG2RneqsUgI8IxY?QOGY>VGO;LpOPzr#Vmqm&9}v*iKQx;gm1=@IOl"
        "S)2t#ljIn!DGIi^RM=dC{VLCAa#D`Qs!2%3yWj>k%+UqoJbhjArGK&bi4ky2(#!xGP@k2)+~3KQ%w+w7{Y!SnZ1~n6U(s6{<XIl$rPVwLF2pF9j*_!AORYldY51joPcMg%Wt}4l7xDcv<@fsG3{ZVG>>Oshr+$@IsaLf>`j0qpWdR0=4*Up<uloEhGO$;B7(}T%;Ey;="
        "5p4*c0UDJvlkmCT=6-LYt2vlquN{~jc(<-f=&-wKn}InrxT}8Z*o{mnWk$&uGjbSM2|j2S+j3oPBQ*hWy$p?&`_#_`t!ZiUFE`aan(C7?q4zrjKUv*RX!{~f^Nfb00xVZ~xXfllW5!1?;ZP_iKXsXw5MhrR7JjjbVVF=e3;@?*3aTrktm>3QlXfrTkI4ong9+<ujB{YL"
        "R<Nc;2U@aCuh;oTnj9@LYJ*<WGEMdS{W5x58tj1cTh^=~)wTSvzfwShM`OnMQnyO>f3xBArhjbu=d^!u^-+8CDx1#f*VF5snH{Z-q(|VRQpWG6yFBj%YYVQLNQaf(UcbJ1nZ>vByY5E@$(Bj&byJf;-<FegBwvZg_siA(p=@RIs791530hUO1gM*DD;47FBe&zP-REV3"
        "HO~ruSTBJRt^sPHJ-(r|Q`;h2Iu!BZfqIB`jlKj}OY{!bDWRs~l-8z$bXC#vD%u9W+OPJX+Bo~<z17{K2QhTx$IuT<Yawilq!`f1b&NL*+CF!~G+&T&6!FhyM&ci(v}<0=gywCwd)Tvz+>B}QMHlpTHdpa*RHvg+kNt>rQM_<SGG13PMkk%wmKgG}6Z7ds?tCSiYd}e1"
        "MTasF2fgyoBPvNAT+Q5O0nSFjoOLMFytLsHGDmX~;vo-)J7g^U-$*5gXa}X%l)OJYLph!NeL}_{L}j^SWSJtEbh_ZZeB)pF;7#<NlpM2D*1NJcY1gCM@w*3wet_fApwj}uCFkG_63E1jcHyp{_~ikNTv%+wlsOq>2um(@-qLqGvxO!xF1%TDzj3EI@y`~YyzD)^V80Dv"
        "k{(o`j=0zlCK*8=Js(uYIJss)A4Lz5dlW=$xB$;meBqz9Cc~i8%ECCTprnXkC*KS+j4g~k?BTQUp0T7PL@}}v33?RBt6sYnxm0TU*~OFn(DO90OB~?fpSthxcD@RU$9m>Aw)o_9mo}&69H;D?A!K`zU+G0R`&OV;(n`*Auj&-qig2h$&j%%{VZ#1MMLq76T{Ga(<I}ft"
        "E~aZS=pj#+g79dc5f-6L;~yL>WEWdJb^DX`z!{f)i&~WyIzoL#;m0pVN47LKi>gafD0h5~(GMz{78+Te#JoMnPy@l8hH?L;Jm)XbepY2~$a32+>jPpAUh?#nYGcJ?xbO<+k5Be|&L=$<<`o~x|Czf*OD>14ml3ig!yt98yI+1rvj3?&hw4dPmB@!in+iGC)gR<GJ$&dr"
        "KeCv(tg$7#7Wpa@|K#um_tM`ud<im+e5%f)xM@0!<=DSBQ_X*L{LXpiG1t)`v@oO1hRb~k-k4@HP9N4UA1)8owIWQSIP27c(+V$H-QQZJ|E#wE-U1KUg6<&`|CA5b4a}gQ=CmnIX66fTU|RZH9EY*zNJk^<haN;fjH_2nHiRikgfF~-Kf?f+&-gK$DJrl5Lrp!semV2m"
        "2cP7QWafwD+hJGcZd++r`8mD>HcfC;e29O<ZjS!(DQ@Wp{|wP1j5rj{nkcom0h3zTL+h<y)sv%3x+0+{!wm*)fk9@@>I?!Ud^P7l{(PFz^!LMe7=QD|Tbsvg<Pa>`=-YhI>F5l8sqS>iR%FoiIX?dH{p~!TMXI<=2Dhedr1w%txcSddO#bFJtD^TPK$?Spmgg+?&Oi8e"
        "UB^=iE2?t4^AEC-KI(|W*ZRgrn#Pxej#`E#QZ!qSRkE#O_BB4rkF6v#kSC|0r|=O<1@zgTSSqCP1cS$XjilmaK-~+AP)Sg*loXEn&g<7K7R@7ecm1vwidlw2`kzVv4*v^Re*Q=aVS_$)6T)X90>z}63QGg<7k#RcEV6Bm(M;CK6bCs^Eza99B8fk*uk5y)5!wW11im#Z"
        "o|{(G%lLirG0NZ(sI)?J!_~s)1#{xCzJ~cDI^63Z3G!O!7q|T2jZxEwhZ89~8c^BZ)F>XGB!1R^+8}Lv&{jDpb8tncXP&g<ev3`hdayu?7IWL>_La=^9T7rIfl611!_aaD{igq4-8x+VXw&R5(^Fg`k!jsf^iYZC)0btit=^(bYW8QGWvIE3n?g>Nrwg3<7$)Qs#QlJ|"
        "k${A52$?3uqu)M%p+p*^xm(wq&$4W|6b1bw>^f{;JARd)BzDNvksHivgL3%mXwLnT=Svz%LzhZ?mC&zfTH^2FG5_a>&ksy#qML$+%%#Fq(+EuOl{hRFvYNl}zlC4zcUljdpZrEX!J8t{A1U$?DNpdH@c$pE|8!%=?9ioN4j=u;_|Z$P4foC0=4+Vz*RDq+yyc1NKmDqh"
        "=yKA=SbfO^PtT~qZ+pw{DE>>(0sGY3$yL4fA21%x6Q)KZcvtmUwI-@xaL+ZEzM2?<*xGibrt$G#kHea`yHECunU^u_2vaFb9*sq_t^0BYxoa-@Tk=w~Y-F)=6kV`<WIhCEjJbIJ(|;L^?^>PbU%r0HH{UL;>79<QIWF(Lb}poxpsaO2a<8j%`ORfq9uY<xgb)maJnwfj"
        "B6$Y9;W}SHCs<niigl$T9X;&E0k2K<q=(oL(@u1r=(RZlqkc!za-6bV#)LgFHcAAW5X=U1U2%|&@}?{A(UB*k@k<1>q*9vOSWZm5>VHK3iFViu2AU0QkNhKI0*8({qhi-95quOrNNzPEyy8L>#m0W}DVXRkBy$E)aiWz*_<=G&p9}U}Z$bQe-XXhao$p(HGC9o(7^C)-"
        "OKL-JFXvyp>Um}aFI-}zQFiIVvej*C5V&9G+jU7~N&*<TG^?)i81&w3NKsySwSS$wb#C^k5AQS*CGHmrQ6|1WmN<ajH$}`XciwL2S=+ml3`}ryvqCh9nv+3G@Cn|>(q{jbL^ZU&>(OVw8O{7opGnckBhAhhIt!{$;}4meZ}lJDBwt#>f2Y~E{i8Ygvi+Uu_34cJb;{9Z"
        "y<@zqPT7#0Xcg>oo*(_$?)guz11zXv%<ooQ1pI@q^HQ&Ke$J1)ru+zh<$`svWlF}}o0a<2ezkw(`B#Sog!}_H{$WyCqaP`0Z71$!Mi-UfUqX+TJBxYTIErD?OnjzTv{BE=prC>_?M6YTO7e)OblXDh;C^rf7=NMGkz8UlNp*`bbUHL&VWvLS&s_^)76PMy|I_^+M(0f!"
        "ycT?f&yp48Ut;1DZ&)MMkkLs18+jk?$Qh<&&Z_6)zuk%JcBlp=y%nJ#EVsb^>Zfk?6Kj1qN(3Qd?8@KVleo!~lQ2q6f)2n0<6ew?PLtI3>er?}<Xlnzz6pc+adYZHJG#>qzpX!yam$sZmC=cx5_BAazb@B%4>xbBSW0l*|0&b%gvWo{<uwl7xOn_+DZwzR3nKp@-mOxa"
        "wA%7Eysz+^5rgcV!7N;katxA<U5S&^?%8zsDO2EQeva^C=c$L@(a~C6<9qu={xRP5HVojRGb|DRKn>ZyFTQGp#!!cL|3_heWuZ6qd;aV?3f3LX)Rx)wf$O5y?=O6a;6`UsNClj=$nwTGSeMDT=PbOQ8@af1zufpI!V-V5hvU2~AET^GAWQfO0wR?dNuRBRH<#b*pKtXq"
        "1-NsLs!8~vzq1DlqU3&|!}O#6^Q-++S~%@(f4E8i=RRTmJ55*iQz^m2l&L=N-Ml37KY9Kx1}v|i|46F-slL2_GsGWmF`VOvKYQdeKbcQ^sDDv;h%?4JZH7<i)zEbx?1S|heY$)uV)ouxdi;NZV}{K}X5=4E7pM7%>9tgM9ym|<z3?p?X;mB5c*D|d3$?#36UH+MH3MDT"
        "Yxh6V4kYqSORV$t(q%aZ;WU0a?sJ+g^LwiICKk2+eQ=4AQ{tZ_I0$o`DqOP1vL3tczZ3EgB}o;y;Da$-j44KM?+-Zy@m9BC7P|6NZ}%<33d{RK)N(GUX3hkE@DJV6B_n^wZ?_2eTaCh+oo>`}TsrCG$RTqf)pO4w#6NUsCI@KuH|dDNPE)rlPq(?_i`U2p5%_^JO-}K;"
        "LZPFwOf{cx??es*ZIrQ%pTLg+`NwRpK50Jguh4m1O?H5(YijAYRVy?J_aK7jE%8}J&xUF+m`cIMMWT*!%--rJ2Mf&A_U6!1yP`8Az#;!&`VULpFHU!xZv11ASFsb?MD~UuJzKG-{3v7|9hYO{0^Q(&osmjM1Xo1Ywc|^DaarZ=4@voq^y$l@S>(72-fa72JwE$L)@!v`"
        "WJuh#Ix9^(G3N*G9V44{Zu|FM|FJC)AaAehPyUlP;>peVu5@}9VEU;)F8+G*^V*Ct{LC|`?Cre&qaz{EH}P&hH>fkzza=}k(^ADx#aqsw!Y?fPJ2Zb*U8l!pb-%RorG8!#EFG)@nWuP5mze0j-}3!_fwTTek)_c7{waT7Z}%I`%{i?<9@D9(dg*ac8~#5PwCzVsTmG8i"
        "{|z=myQc",
    ),
    "greek": Script(
        " ΐάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ",
        {"el": 0.99999},
        "c-oCriL#tH4D3JHyg9(PeA{6D|NA1F$!;oJsd{D@0}@iJ)dDcW20YaMev**pp`IJPA8tH;C?%r@L`nG0+CO{twt7$_MJjc#qqYdC-^OxpA%$2vO83Ug97ri+5%nk2uSm#k`XVJ84ph>{p<d&*$xqfJT5>sqVh~wV^qlUZLHPFiF)%I-c;!-nc}k&Pl($`oP3h1P(Gxmc"
        "Xa%;{PG}5@nStZu-&JumQ1Aq<7n)CD3(YG#OW}htg%%4+Tuw|a%qsTcecn&dk$*ltCsS|sw60}@my&L`No+z3<*CxZ;o5=TxpIDk-;SIB3)5Vaq%^a(=P!ITTi{`x+zu4GDTQ2*+cqD>6Ke5lCfJx5jbHSG>qRZ;3p!3zK3JDZ#LF3#gtubX$aI7m-8o1rJveKYaNQPr"
        "bcm#J8P_Ku$TUf@)<T^pr&CpRSx$&L_2G|2gL5InNOIU{5@9Dcmm$?HF$~6LTKR&t&f>*%2q-VdB#<e+(mul(W~LEWmug<sSPmXm$#MPn)i_)Q558y`)f<z~9CstsR;pq#m@nrFTIaYC#s#~2COF>Ys^E3<y{k9(V&nj2Nn&d{u|wSb>8ZRs_ku#UtOuxU{`rnFGg9`3"
        "8N#t)kJ|M4GB@8pCE2AX;#pH#o5?sf*3BD@p?pC$9>IG~RCX`a!Cg$z<)d7F1grMcc*3=0&dZVjlMyJ!j}kMJd@N;7MTT3Qsnm`X{OzO=BjLO}*JP$~35-=mQ-JltJ-!~}Ga$IN#8I(&!Ou>NlRpj@;&nC8M3S3heqMi}<p1BI<8SQ!Vc0%<p;*RI&uFy9uw;xx4(&GT"
        "j}v3c=SV2QndW(39T%G09g==eadOoMYaPjX=l@Ih6YGRofd",
    ),
    "hebrew": Script(
        " אבגדהוזחטיךכלםמןנסעףפץצקרשת",
        {"he": 1.0},
        "c-nnZ$8jVv3`7Rft~508bi;A^$9Gf!w|EhSYP2EX^~(9{7b9=5y^hxz@fXrXIla>cT#bWbkF_PGLIzEtH>42JoG~`G?G`+<lV&h*35-1Slu8Y51W>81Jmq-+KuQl)d*uY<32?aEs8g>AP)YSWBQZxs55P>JFeBi4=A3_0<cO%KSt;a{B4)=zxaGH$aZlnu0`UFxV~2e;"
        "Pt~R1;6WDc*%M3}x|;)xvnh&Tujk_keq`7k_Fk`YFXYZwdt;UyH(N54(&{4Pva~G65aIvjCbwz!`Xn2<h;iMau7Rq&BbkKQSvP0ayszot(^;9mKkO_hhAB8%ICvqH2tf~`9P`fy++kHMZC&;E@!otivD=}V3(@dW3PRUBOWDiSXR9khGq41Fu*3o_Lyx3Gmx1e$LMyWm"
        "e7!zCHJ@&I4h2|r0?*wntMCV0QyoPKO3zEcG?<`J;Jg`XssbkIPv^>Tw&AtS3Vx!LpM)%V>!RzQ+Bz&(-%By6f{C!!6o-0fD{ee+$|W#0Rr)e5JEe;u&2@t6axC3&FqQHTq4Y$M",
    ),
    "arabic": Script(
        " ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْٹپچڈڑژکگںھہے",
        {"ar": 0.99982, "fa": 0.94504, "ur": 0.89504},
        "c-rk+S#sk#608gKblc{NeP4P1^G$)IC`zV06Yhz4A7gxomQ4_aTCy@h1E>y0_|>^yk%<yP)I^!&t`prnb?@`^1_NA-dAm4>1ujR0uSbE3x0v>MdV(wN)m*b*l{ZdHVT$xz8*8f!#z;jcO&9USf)OC#N;S7-^6j@F;Q9vASEdFi$%W{wT~zeJgQ?L0bqxQeuO|5IV!bYq"
        "GJe(ZW<v~%vB_s(R}<gStr_Mrsa{elC*8|Qa?aE22;slRo-v?T6EQ{#*BJ~KDTv4e$y)oUfQBeFZO_0kUyMKhU9>)r4)>m*QXZufM94sl5Zp>f4X1(;Mu?uTCi3kflHC`T=NL<EF$L6%i5R~`v{4m3$&1k8o*A48E^ZHh9J|Me#=OS#qKO-ojg1&4Bc$Lih<fSOJ-AHe"
        ")gbM8iB(0lCO$CSfW0=g&+UdXIifUFD>2%3OI}cz6--H@r>lv(FK8-ti%B?FfPl>7!mq=zV3LV}%sg|MB{(On5on*~f(G0=QJ00xw$$g&q?QI5>~c$DEKR3FFxR<?!Hov;%;W?nBnP7H8Fwhac*VHXEWg?#=6_`dr^jII9-jy*8jr>7l>zaEbC}k(eUWRlBbw}5NQ5(4"
        ")XRyx{VZ6lLsR@7*o+yBPqL;4oy6;ut5m7H)d+`Wo#?=55K#tsy`tN(YVl9#1r2JvSrCED)x^C>C&qZd*po_)H9>j&IjAsDqIjfVz@v&`O_`8XL+0Fo2TisvU_dWTotjBLlZ55tU5<%GmAnpC)+!9fLrL4cn7CdVwzQlr99Pw*1qKU~TWgu8FEXduI7=y7NR4O4tbSS="
        "a#GGbyH2?e&?9C`H<Lk-nazx9>{f=y3BS(M$4us7cmY;e!l4(0D#jFzvn3qsqs$HwbCx}y(`Bx{?NL#jfKq|mV42cU3B&?vinfHhOI+=@NDt1sR{DYpkK5ZjU6w>9RxS&9iuij29W@jy*HSxiW|feRIYz`dPr?}TYQ=Ajw}52`cHkXVLa5n|ib$hWVS!Ul$iN5)_!&Rr"
        "XZ(zRe5?Tf`ww((oQ5~wk-n#f`AJTQjc;A|0e9LtV*d%<_)Mg}HBcm^CLw~;Zlm))8E~9r^F#vkvz%C#3sIDhkJF9+tZOS=3L%$^e?fHL*ZWnSV6vRCA%FD!ER-<R6KaP3Z6voI+5{2aUAQ{w#|}9wELKUBE>iD&+7yvwPfl^n%`x8o)#lz;T~;T7T^OZ`fw_7qA~=cd"
        "HAzP286E}8V)cnxIe%>9K~^p;i2e({O58R>72#tza#1oQ$=4)sCk70KP-Al_KfJC^H~J7{)F|=vv+y)$!9q4_+`L(xQY#xp59(;ke3o1HoO@dXzjPLF3J@%Gm77hFYlqGu!+g?@wec7yb~d|irrZ+99aiL<f1cu&c4lR9j(O)u=#U8ZU<F|cMTkvQBPC?>c%n3@x3SdN"
        "iRa7~nnbEdHX+@e5m9(3AfFWco^qIBqe41ZP!}P`%(+=>K<6x!lpLl<hq^P-B^Donv7B(C_ZtAjYOCOUeioiWZEA1(5?0cWo>!||D*7CsEW8c;`T$|~m^h%qoUJMW86?;*GRK(PuK6KIGG;@{&Rnk;j+FhZ%2$<T@->9+44+z*L#3H4QIRDRamScR3`1+5$$UObq?<J*"
        "xidP3l9zOCDmyMS<bqZa>3#C3j|yh5$Ey9LAN}Jwz_vL7qGlh^BNotH8LE=k2MF>Ahuw~@MDh2+MWv0EYF_p#Y(wq2)s|2b)^GEskJ=|KP<%We%WN>yZN=0ppiXd2-E5iAQ3K0Sdg@T_oT?)<KdEp!&lv^omIoAW+Hi*K9;1L7qA)&_^MM}D@pARc@2&Ur8d_nYcZrtz"
        "$i^^ntoP?Qu2VkN&o~IgDPiMK2b5Mu*(j405mg#u?7gg-0{8asko@<SFoQ%0m&T6R<_XEI4JWN6nLEVQI|4+EjHCRAIQ@)Un`RpZ)#!Ot@pNcoi+)P-`~b-IbZ?DkyccH#SSupOe{`$nCCS4Qv{#4qH+V!SY?U3c#VUUMT}m>24UgpJEirQ!4o}-0Jik7*{=XQy0etxV"
        "0iEr}v6nr4AE~5%l+y&mpO5pw4f&YSQNQ}MyytHpxui8<9K(`YXTzpwJgmtWFe#F@aLUY`I=R2vVz@Tqx$GV_Q21XsH*F<qfV=4T3N0WFJHJ%2cVaQVsYc6shpso2i?Mu=K`N90#9?Rb`}cEqR8)Emqhc`Wtxcz~P1ia~Al_#rEg;*uYI_;P&t_@-CF+@(t8ee^<97Cl"
        "@zPBDLaTSUKU_*nkX(N*Drt}mvAy(7yvBl>uh+|EgT6Sn%)!aF$S9Tr1%)`b)jh%mZ4++KRfZh5rpD<S)wSy#R)S#{OpdL=+JT7b&3owDwCs8sgVrPnyEb+!nmqY!n-(oIdji-DN(lILo{MUZQ@tmq&9`LK@Q^E?H2JpEfXu4xq4oku5mKX&!Vn}Iz-OjFu=$)h6d4fm"
        "Q?!5Pn<0gUweHYLvqxlI$V>YG$E$rYH@Ud&F(B+tSjNF4$qrkaYBMN%NI53ju>)&o{lo4vn(>BGeCuh|ZDo#d&<LM?UQwYZ#Ih%f*gYv$XfJC&Yl5YQ>u~sDZ*L!NmHm)%)&pF2!;ts;*fH_0J1{D`rPt-ea9i=YMQ<BIS$K_UM}MaZWP1(FsxmbeB<8EiBs^Rnc5CmB"
        "6*u#WKVzD&%k?S1p&!|<#v&H7MV`NST(9lVo>vS9Vwy+}IWM+8E7ss+ey`<;`s%VDoA1->?L`mk+fq>%tVf}9Q>(U#Bg^F(b5M0*pU2t-O16n{;4ml6H8WIkp}cS`Av#Q0E+^=Sy2T8E6S#lhOdhc~6Azv&(lR4gC_|Z`r9DriOJgL0Kp4Bf*kh}A+B39(CC{KEOq$@5"
        "3J4oBna{~9q-t;ac;CS7XZ(zBjp_MJg`Ce<f`2|iE-QK|@8sU*%9@h_mI2w^ou3qXt`0001eW$+4N`Bwu<)a~`Fg@bo9x2@&(a_apUb1);ZYntQ3ZeRkL^AGsXFS`t=hk1#QR}EdO_9V^QmJqb@`9f^X32MY?RD&4n$r}?EQQPL{9jbT64tjwSwvJv0)f%F9%jST8Qy?"
        "s;cS(Ajey$Ml^f-ZUT_w;<kYBN7|;(;b;e=9#XqcZtxf<x0xg=Gfo|yLQsBY9r>Wwb@<nJP5n1=F*Dl",
    ),
    "thai": Script(
        " กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรฤลฦวศษสหฬอฮฯะัาำิีึืฺุู฿เแโใไๅๆ็่้๊๋์ํ๎",
        {"th": 1.0},
        "c-qZa2e#Wd66`ySzeEx_5`p(W-&TVXDarcs_>E_G@f;))p+j|bK{N?kh@yzvQ777nNC`V<p`}hT`^5+{BqJ@D*a|(2%dD4~?EUMkEoM?M%_kzCFn4u2nQnrQ&G*&BDb6IbG?o-mo_=Uysf0`<Otgm9S=maJsMLMS?K~_{qDF3iQA^rjZ5&^&`0E5tlx@X=w$D#)#y<2X"
        "N5u94XSMT@PYL!ebsM%CKa-{jHgs~BZ>%x7DTzh7mCEZ7qcdXv-O;{(RqqK^0K?{Gw(<VTC@+dM+7?riv>J}-NJ5fC0#-@3>`}f7D+R)HTWH)$$m{Csd2C8sBAxJL#h0#OQQ@ePCz|A<T`-%&6Q5hg+8kB;?9n=KL5$mcJ}r8stv-S0c;ydYk9aixqt}~>>x$j-c*=8)"
        "C~(=hJ`Nev;ra_S-^OxGXs4lV&6I+QtsiU48XwI0BO}$_(8fNvH>vNpztsIOBU$n{-*csnU)kSARCvnB&tvPq?}`5=y79ZH-(IA<pZ#Xv8HMfNsjKwio%`)_4C}z(`8tj-OpA?OD2=hrpYzK9YDB8|J9??z@no1(0~=s{j|a+vL&jZ>8T+nIdgRV;WZlTRvQCNOli`oq"
        "d*DA`Ms0aBY86JDsoXLwu(dH0w-Ohe1zQt}3CAqLFQH|dxWIeH+B7YNk&<qu`I3zeMz~=JJ61;0w#T*@xT-wtrn2n?!xnOA@-}8X!V4VTjPv{2suWJnCZYH|cR8{6A7#^(37LB18FqxYed3rsU*@Q8{<H<s{+^x3Hbq~vB($Tbk{N|jMoV?G6=2a-uTdI>aLY^rbh|Y("
        "%|@d0fmXqyMu0`TS_XE6@q8GXXFlxkKIv|ii#WUaEa4~U$$AbuNm+xZ)g;bf^bUsyJ(l6<5vxqxtoHKC8RZl!3ZL`SuEd*BVr)=`cWB9#+qergN7}B@_xi+FFFCx|CbOx!yS}p$nr366aUV8+E~@jG=N=AQsXntzs7K-8(^}6Jy;llb^gBd~U4R=jn9>;Sn>M6Ok&yvV"
        "1{lzJ=tlnUM>%Y(hwuC>jOwVpJ%l8_@#S>mt*d-)5c?_dwLEB14q)ifHh1?hS(A0s-g}@k+Ngm)G+v{JzLFO**S>fLk`2xxHrKsyP@Rk`>6%;b)#Ge56@Y_OL-G+7PqL7;qnzbJCKeAZ$WqNfs^ujz`OqQ<@}%pj+`^%pgIsU`D)z{WTi}fH9uP(A{F<(95pm|Nq)iSG"
        "^_oAwk9bdSL|ptOCtDL4%4&UB4V{^`n8Oe(!4xDR49?V4ugem(&KjP99oxzRR?N?N`sYI;R*ox^S@H%18?qze6IUn7Uc(v?p&t|DGLeY86)1Qlve8u!W@GAWuhqfOPuu<!S{a#zlVzXiEl`dP)`R-)=v~`0GFjq2HMK21A-Dl%+xj!KGg~!~>K+N%TGyHiohN%)6}Gmc"
        "k29{sq7W3L5cXL6#@@)d(|&v?6#dXnr<+l;UueF);aO%G|E*_4w4MGAR=%zCH$zOGt^donbj(o>ZEg}FQ7BnlxFI6|#xbOgM)|2`xw|sjHAJ5azpwe2Shhy5I;!{2=DugtS7Lb_vt*J%<1gl5S!1(I2F$RbST%SgkVTi*WM0-9=hTA)oJaS(2F?q|0@Q?#7wK}TqX9W4"
        "DO&P_e*CFouKN`aQ3XeQNznBTnz(HQ;V;_yDog&l`~c<6)(N@kXEIroSNg=WahWp+GH3@?=Kv+H6AFPVt2y8d7DoLl?G$MCL6=&H3&2aN)sM!{m%v#fLbHh-jVI$q!(fO3*Qpm}Y;sBrO<_AP6>><m7Pb>t!J%GlKu!6rxU0um2KUO)UZk;d$+N*f<~|PDofmIK%rEYN"
        "2h8QS;2B%F_2+#r@3*?DowC(%&=-!<sL7`A$QKg=x1eScJJ`0c)>lk|j|X2N{DZn>XCKf6+hGCZL>c_Hw+BcfKBu);XJgtG@-ox^@ql%Rnvtx}?~hCtpvg<<^BRSlpry3qiDLb@6;zxbY<pY`&{ZI%jdq^pjt&NyLqc%Pjh`<_z_cg6yPp&*8Q)>Q#+C?X7<WhX7~g+&"
        "W%2{5C(ay$;`++g;rh$lSGeE74hN?^+5-Rn6X}Z2g_)|Gk2keHI&2;n7%C46xwGJaL>%BP8w<$xELZOrz^y#w)ar3-iteE*0#oY6*CBYrR`;L6kd_w*L+<MXw@zw^xvQz+&^69P-6v?X=K3lm?uIm1=wkZfZu{4f4*{U)Qx45~w29d?f7lvqGTSA%*h4D{cZWz*;~%^R"
        "GkocDtMOakr)Il7-7eZww_5+nPbTZx^7@CS$Qmt;wglqtC)8@dZ59lj`xYuIQ>ZYg+!xduR7ChYH2c3C{{bW8@-F",
    ),
}
